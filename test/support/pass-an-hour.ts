const HOUR_MS = 3_600_000;
const now = performance.now.bind(performance);
let hours = 0;

/** Moves the monotonic clock of this process on by an hour, for the rest of the file. */
export function passAnHour(): void {
  hours += 1;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + hours * HOUR_MS);
}
