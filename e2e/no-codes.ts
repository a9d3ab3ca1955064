import { codesTold } from './school.ts';

/** Runs after all browser tests: no one-time code they requested may appear in an answer, a header or the log (A1). */
export default async function searchForCodes() {
  const { made, told } = await codesTold();
  if (told > 0) throw new Error(`${told} of ${made} one-time codes were told in an answer or in the log.`);
  process.stdout.write(`None of ${made} one-time codes was told.\n`);
}
