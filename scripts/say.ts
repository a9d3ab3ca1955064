/** One plain line to whoever started the command. */
export function say(words: string) {
  process.stdout.write(`shala: ${words}\n`);
}
