// Generates a short WAV file: a few notes that fade, one after the other.

const rate = 11_025;
const noteSeconds = 0.4;
const headerBytes = 44;

/** Notes are in hertz; the file is 16-bit mono. */
export function makeSound(notes: readonly number[]): Buffer {
  const perNote = Math.round(rate * noteSeconds);
  const samples = notes.length * perNote;
  const file = Buffer.alloc(headerBytes + samples * 2);
  writeHeader(file, samples * 2);
  for (let at = 0; at < samples; at++) {
    const seconds = (at % perNote) / rate;
    const note = notes[Math.floor(at / perNote)] ?? 0;
    const attack = Math.min(1, seconds / 0.01);
    const loudness = 0.35 * attack * Math.exp(-7 * seconds) * (1 - seconds / noteSeconds);
    const tone = Math.sin(2 * Math.PI * note * seconds) + 0.3 * Math.sin(4 * Math.PI * note * seconds);
    file.writeInt16LE(Math.round(32_767 * loudness * tone), headerBytes + at * 2);
  }
  return file;
}

function writeHeader(file: Buffer, dataBytes: number): void {
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // the format code of uncompressed samples (PCM)
  file.writeUInt16LE(1, 22); // one channel: mono
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
}
