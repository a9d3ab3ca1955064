// `npm run create-admin -- --name "Asha Trivedi" --user-name asha --email asha@school.example`: makes an Admin. The password
// is asked for, or given in SHALA_NEW_PASSWORD; it is never part of the line, where others could read it.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { openServices } from '../src/app/services.ts';
import { newPassword } from '../src/features/sign-in/contract/password.ts';
import { refuseWeakPassword } from '../src/features/sign-in/server/password.ts';
import { createAccount, tellAdmins } from '../src/features/sign-in/shared.ts';
import { fieldErrors, normalMobile } from '../src/kit/contract/fields.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { contextOutside } from '../src/kit/server/context.ts';
import { isDuplicate } from '../src/kit/server/database.ts';
import { openLog } from '../src/kit/server/log.ts';
import { provideDatabase } from './database.ts';
import { say } from './say.ts';

process.umask(0o077);

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { name: text, 'user-name': text, email: text, mobile: text } });

const stop = await provideDatabase();
try {
  const { name, 'user-name': userName, email, mobile } = values;
  if (!name || !userName)
    throw new Error('Give --name and --user-name, for example --name "Asha Trivedi" --user-name asha.');
  const password = process.env.SHALA_NEW_PASSWORD ?? (await ask('Password (8 to 15 characters): '));
  const judged = newPassword.safeParse(password);
  if (!judged.success) throw new Error(fieldErrors(judged.error)[''] ?? 'A new password has 8 to 15 characters.');

  const { services, close } = await openServices(readConfig(process.env), openLog('silent'));
  try {
    await refuseWeakPassword(services.db, 'password', password, [name, userName]);
    await services.db.transaction().execute(async (db) => {
      const ctx = contextOutside({ ...services, db }, 'npm run create-admin');
      const id = await createAccount(ctx, 'npm run create-admin', {
        name,
        userName,
        email: email ?? null,
        mobile: mobile ? normalMobile(mobile) : null,
        password,
        isAdmin: true,
      });
      await tellAdmins(ctx, { template: 'admin-added', subjectId: id, except: [id] });
    });
  } finally {
    await close();
  }
  say(`${name} can sign in at /login as ${userName}.`);
} catch (error) {
  const words = isDuplicate(error) ? 'This username, e-mail or mobile number is taken.' : (error as Error).message;
  say(`No account was made: ${words}`);
  process.exitCode = 1;
} finally {
  await stop();
}

/** Asks at the terminal without showing what is typed. */
async function ask(question: string): Promise<string> {
  process.stdout.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: Boolean(process.stdin.isTTY) });
  const typed = await terminal.question('');
  terminal.close();
  process.stdout.write('\n');
  return typed;
}
