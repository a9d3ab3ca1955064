// `npm run prepare-database`: makes the two logins and the database that DATABASE_URL and DATABASE_OWNER_URL name, on a server
// of one's own or a managed one. The server of a school never runs it.
import { readConfig } from '../src/kit/server/config.ts';
import { readVariables } from '../src/kit/server/variables.ts';
import { readCommandLine } from './command-line.ts';
import { prepareDatabase } from './prepared-database.ts';
import { say } from './say.ts';

readCommandLine({
  command: 'npm run prepare-database',
  does: 'Makes the logins and the database of DATABASE_URL and DATABASE_OWNER_URL, as the login of DATABASE_ADMIN_URL. Again it changes passwords alone.',
});

try {
  const adminUrl = readVariables(process.env).get('DATABASE_ADMIN_URL');
  const { owner, login, database, isMade } = await prepareDatabase(adminUrl, readConfig(process.env));
  say(`${isMade ? 'Made' : 'Found'} the database ${database}, owned by ${owner}; the school signs in as ${login}.`);
} catch (error) {
  say(`The database was not prepared: ${(error as Error).message}`);
  process.exitCode = 1;
}
