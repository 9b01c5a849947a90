const NOTES = [660, 880];
const NOTE_S = 0.14;
const LOUDNESS = 0.12;
/** Many cards at once are one tone. */
const QUIET_MS = 1_000;

let context: AudioContext | undefined;
let playedAt = -QUIET_MS;

export function canSound(): boolean {
  return "AudioContext" in globalThis;
}

/** Whether this browser lets the page be heard. */
export function isAudible(): boolean {
  return context?.state === "running";
}

/** To be called while somebody presses something: browsers let no page be heard before that. */
export async function wakeSound(): Promise<void> {
  if (!canSound()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
}

/** Two short notes, made here. */
export function playTone(): void {
  const now = performance.now();
  if (context === undefined || !isAudible() || now - playedAt < QUIET_MS) return;
  playedAt = now;
  for (const [index, frequency] of NOTES.entries()) {
    const start = context.currentTime + index * NOTE_S;
    const note = context.createOscillator();
    const volume = context.createGain();
    note.frequency.value = frequency;
    // A volume that jumps is heard as a click.
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    volume.gain.linearRampToValueAtTime(0, start + NOTE_S);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + NOTE_S);
  }
}
