// `npm run create-admin -- --name "Asha Trivedi" --user-name asha --email asha@school.example`: creates an Admin. The
// password is prompted for or read from SHALA_NEW_PASSWORD, never from an argument, which others could read.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readCommandLine } from './command-line.ts';

process.umask(0o077);

const { values } = readCommandLine({
  command: 'npm run create-admin',
  does: 'Makes an Admin. The password is asked for, or taken from SHALA_NEW_PASSWORD.',
  options: {
    name: { type: 'string', value: '<name>', help: 'Name of the person, such as "Asha Trivedi". Required.' },
    'user-name': { type: 'string', value: '<username>', help: 'What the person signs in with. Required.' },
    email: { type: 'string', value: '<email>', help: 'Email address.' },
    mobile: { type: 'string', value: '<number>', help: 'Mobile number, 10 digits.' },
  },
});
const { openServices } = await import('../src/app/services.ts');
const { userNameShape } = await import('../src/features/account/contract/account.ts');
const { newPassword } = await import('../src/features/sign-in/contract/password.ts');
const { refuseWeakPassword } = await import('../src/features/sign-in/server/password.ts');
const { createAccount } = await import('#features/account/api.ts');
const { tellAdmins } = await import('#features/sign-in/api.ts');
const { numberOutsideSeries } = await import('#features/staff/api.ts');
const { fieldErrors, optionalEmail, optionalMobile, freeText } = await import('../src/kit/contract/fields.ts');
const { readConfig } = await import('../src/kit/server/config.ts');
const { contextOutside } = await import('../src/kit/server/context.ts');
const { isDuplicate } = await import('../src/kit/server/database/database.ts');
const { openLog } = await import('../src/kit/server/log.ts');
const { provideDatabase } = await import('./database.ts');
const { say } = await import('./say.ts');

const { english, text } = await import('../src/kit/contract/text.ts');
const z = await import('zod/mini');

/** Each message after the option that it is about. */
const wordsOf = (error: Parameters<typeof fieldErrors>[0]) =>
  Object.entries(fieldErrors(error))
    .map(([name, message]) => (name in values ? `--${name}: ${english(message)}` : english(message)))
    .join(' ');

const shape = {
  like: userNameShape,
  unlike: text`Use 3 to 50 letters, digits, dots, dashes or underscores.`,
};
const draft = z.object({
  name: freeText(text`Name`, 100),
  'user-name': freeText(text`Username`, 50, shape),
  email: optionalEmail(text`Email address`),
  mobile: optionalMobile(text`Mobile number`),
});

const stop = await provideDatabase();
try {
  if (!values.name || !values['user-name'])
    throw new Error('Give --name and --user-name, for example --name "Asha Trivedi" --user-name asha.');
  const parsed = draft.safeParse(values);
  if (!parsed.success) throw new Error(wordsOf(parsed.error));
  const { name, 'user-name': userName, email, mobile } = parsed.data;
  const password = process.env.SHALA_NEW_PASSWORD ?? (await ask('Password (8 to 15 characters): '));
  const checked = newPassword.safeParse(password);
  if (!checked.success) throw new Error(wordsOf(checked.error));

  const { services, close } = await openServices(readConfig(process.env), openLog('silent'));
  try {
    await refuseWeakPassword(services.db, 'password', password, [name, userName]);
    await services.db.transaction().execute(async (db) => {
      const ctx = contextOutside({ ...services, db }, 'npm run create-admin');
      const { id } = await createAccount(ctx, 'npm run create-admin', {
        name,
        userName,
        email: email || null,
        mobile: mobile || null,
        password,
        employeeNumber: await numberOutsideSeries(ctx),
        isAdmin: true,
      });
      await tellAdmins(ctx, { template: 'admin-added', subjectId: id, except: [id] });
    });
  } finally {
    await close();
  }
  say(`${name} can sign in at /login as ${userName}.`);
} catch (error) {
  const words = isDuplicate(error)
    ? 'This username, email address or mobile number is already in use.'
    : (error as Error).message;
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
  // The input ended without a line.
  const typed = await Promise.race([terminal.question(''), once(terminal, 'close').then(() => '')]);
  terminal.close();
  process.stdout.write('\n');
  return typed;
}
