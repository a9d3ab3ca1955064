import { codesTold } from './school.ts';

/** After all browser tests: of the one-time codes they asked for none may have been answered, sent in a header or logged (A1). */
export default async function searchForCodes() {
  const { made, told } = await codesTold();
  if (told > 0) throw new Error(`${told} of ${made} one-time codes were told in an answer or in the log.`);
  process.stdout.write(`None of ${made} one-time codes was told.\n`);
}
