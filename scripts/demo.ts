import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { demoAccounts } from '../database/seed/demo-people.ts';
import { needsDemo } from '../src/app/make-demo.ts';
import { listInquiries } from '../src/features/admission-form/server/inquiry-links.ts';
import type { Config } from '../src/kit/server/config.ts';
import type { Services } from '../src/kit/server/context.ts';
import { runApart } from './apart.ts';
import { copyTemplate, hasSchool, keepTemplate, takesTemplate, templateName } from './demo-template.ts';
import { say } from './say.ts';

/**
 * Copies the demo school of an earlier start into an empty folder, before its PostgreSQL is started. Answers the name under
 * which a school that this start makes is kept, if it may be.
 */
export function copyDemo(folder: string): string | undefined {
  if (!takesTemplate(process.env) || hasSchool(folder)) return undefined;
  const name = templateName(new Date());
  if (!copyTemplate({ folder, name })) return name;
  say('Copied the demo school of an earlier start');
  return undefined;
}

/**
 * Makes the demo school in an empty database, or again where it was cut off; a school that is there is left alone. Keeps it
 * under `name` for the next start on an empty folder.
 */
export async function makeDemo(config: Config, name?: string): Promise<void> {
  if (!(await needsDemo(config, say))) return;
  await runApart(join(import.meta.dirname, 'demo-process.ts'));
  // Made around midnight it is a school of both days.
  if (!name || name !== templateName(new Date())) return;
  try {
    await keepTemplate({ folder: config.folder, name, ownerUrl: config.databaseOwnerUrl });
  } catch (error) {
    say(`The demo school was not kept for a later start: ${(error as Error).message}`);
  }
}

/** Prints the accounts, and the links of the demo's families (also in var/demo.json). */
export const showDemo = (config: Config) => async (_app: FastifyInstance, services: Services) => {
  const inquiries = await listInquiries(services);
  mkdirSync(config.folder, { recursive: true });
  const summary = { baseUrl: config.publicUrl, inquiries, accounts: demoAccounts };
  const place = join(config.folder, 'demo.json');
  writeFileSync(place, `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600 });
  chmodSync(place, 0o600); // An earlier version may have created it readable for others.
  say('Sign in at /login; codes arrive at /dev/outbox:');
  for (const { role, name, ...by } of demoAccounts) {
    const how = 'userName' in by ? `${by.userName} with ${by.password}` : `${by.email} or ${by.mobile}`;
    say(`  ${role.padEnd(6)} ${name.padEnd(15)}  ${how}`);
  }
  say('The demo parents’ links:');
  for (const { inquiryNo, link, state } of inquiries) say(`  ${inquiryNo}  ${state.padEnd(15)}  ${link}`);
};
