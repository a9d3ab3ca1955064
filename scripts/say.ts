/** Prints one line for the person who started the command. */
export function say(words: string) {
  process.stdout.write(`shala: ${words}\n`);
}
