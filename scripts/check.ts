// `npm run check`: the first minute of `npm test`, for every save.
import { runChecks } from './checks.ts';

const { passed, failed } = await runChecks();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
