// Every process of `npm run dev` loads this file. It ends the process when `npm run dev` has ended. Otherwise
// `node --watch` would continue after a kill and keep ports and folders in use.
const starter = Number(process.env.DEV_STARTER_PID);
const parent = process.ppid;

function isGone(pid) {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

setInterval(() => {
  if (!isGone(starter)) return;
  // The parent process of a service is the `node --watch` that started it. This parent must be killed too.
  if (parent !== starter && process.ppid === parent) process.kill(parent, 'SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}, 500).unref();
