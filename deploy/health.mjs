// The health check of the image: calls /healthz of the service in this container. The image has no curl.
const port = process.env.HEALTH_PORT || process.env.WALLET_PORT || '4200';

try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4000),
  });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
