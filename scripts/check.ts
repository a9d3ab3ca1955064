// `npm run check`: the first minute of `npm test`.
import { runChecks } from './checks.ts';
import { readCommandLine } from './command-line.ts';

readCommandLine({ command: 'npm run check', does: 'Runs the part of npm test that does not run the program.' });
const { passed, failed } = await runChecks();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
