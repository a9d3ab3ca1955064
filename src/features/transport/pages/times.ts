/** A clock time some minutes later: 06:45 and 20 is 07:05. */
export function later(starts: string, minutes: number): string {
  const [hours = 0, past = 0] = starts.split(':').map(Number);
  const all = hours * 60 + past + minutes;
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${pad(Math.floor(all / 60) % 24)}:${pad(all % 60)}`;
}
