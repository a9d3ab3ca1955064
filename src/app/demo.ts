import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { demoDomain, demoPassword, demoPeople } from '#database/seed/demo-people.ts';
import { demoSize, planOf, type SeedPlan, startYearOf } from '#database/seed/plan.ts';
import { seedSchool } from '#database/seed/school.ts';
import { isPassword } from '#features/sign-in/server/password.ts';
import { contextOutside, type Services } from '#kit/server/context.ts';
import type { ServerFeature } from '#kit/server/feature.ts';
import { audit } from '#kit/server/security/audit.ts';
import { features } from './features.server.ts';

const school = {
  name: 'Sunrise School',
  name_local: 'સનરાઇઝ શાળા',
  address_local: 'અડાજણ, સુરત 395009',
  city: 'Surat',
  phone: '0261 222 1100',
  email: 'office@sunrise-school.example',
};

interface Wanted {
  plan?: SeedPlan;
  parts?: readonly ServerFeature[];
  /** Called before each part. */
  say?: (words: string) => void;
}

/**
 * Makes a demo school in an empty database: the usual lists, then each feature's part. Returns whether it was made. Until
 * its end the row of `demo` says that it is not finished.
 */
export async function seedDemo(
  app: FastifyInstance,
  services: Services,
  { plan = planOf(demoSize, services.now()), parts = features, say }: Wanted = {},
): Promise<boolean> {
  const isBegun = await services.db.transaction().execute(async (db) => {
    const isEmpty = await seedSchool(db, school, startYearOf(plan.today));
    if (isEmpty) await db.insertInto('demo').defaultValues().execute();
    return isEmpty;
  });
  if (!isBegun) return false;
  const ctx = contextOutside(services, randomUUID());
  const loaded = await Promise.all(parts.map(({ seed: load }) => load?.()));
  const total = loaded.filter((part) => part?.seed).length;
  let count = 0;
  const beside: Promise<void>[] = [];
  for (const part of loaded) {
    if (!part?.seed) continue;
    say?.(`Making the demo school: ${++count} of ${total}`);
    const making = part.seed(ctx, app, plan);
    if (part.isMadeBeside) beside.push(making);
    else await making;
    making.catch(() => undefined); // Where a later part fails first, its failure is the one that is thrown.
  }
  await Promise.all(beside);
  for (const part of loaded) await part?.finish?.(ctx, app, plan);
  for (const part of loaded) await part?.last?.(ctx, app, plan);
  await services.db.updateTable('demo').set({ finished_at: services.now() }).execute();
  return true;
}

/** Half a demo school looks like a whole one, but pages lack what was not made. */
export async function refuseUnfinishedDemo({ db }: Pick<Services, 'db'>): Promise<void> {
  const demo = await db.selectFrom('demo').select('finished_at').executeTakeFirst();
  if (!demo || demo.finished_at) return;
  throw new Error(
    'The database holds a demo school that was not finished. To begin a new school, name an empty database and an empty ' +
      'SHALA_FOLDER. To try Shala out, run npm start without NODE_ENV and SHALA_DEMO: it makes the demo school again.',
  );
}

const contactsOf = (name: 'email' | 'mobile') => demoPeople.flatMap((person) => person[name] ?? []);

/**
 * Ends what the demo made, for a start in production: deactivates accounts with a published password or fictional
 * contact, and revokes the families' links. Logs it.
 */
export async function closeDemo(services: Services, log: Logger): Promise<void> {
  const accounts = await services.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .select((account) => [
      'account.id',
      'staff.name',
      'account.is_active',
      'account.is_staff',
      'account.password_hash',
      account
        .or([account('staff.email', 'in', contactsOf('email')), account('staff.mobile', 'in', contactsOf('mobile'))])
        .as('has_demo_contact'),
    ])
    .where((account) =>
      account.or([
        account(
          'account.user_name',
          'in',
          demoPeople.flatMap(({ userName }) => userName ?? []),
        ),
        account('staff.email', 'in', contactsOf('email')),
        account('staff.mobile', 'in', contactsOf('mobile')),
      ]),
    )
    .execute();
  if (accounts.length === 0) return;
  const open: typeof accounts = [];
  for (const account of accounts.filter(({ is_active }) => is_active)) {
    const isOpenByCode = account.is_staff && account.has_demo_contact;
    if (isOpenByCode || (await isPassword(account.password_hash, demoPassword))) open.push(account);
  }

  const ended = await services.db.transaction().execute(async (db) => {
    const ctx = { ...contextOutside(services, 'start in production'), db };
    for (const { id } of open) {
      await db.updateTable('sign_in_account').set({ is_active: false }).where('id', '=', id).execute();
      await db.deleteFrom('sign_in_session').where('account_id', '=', id).execute();
      await audit(ctx, { actor: 'System', action: 'account.changed', entity: 'sign_in_account', entityId: id });
    }
    const families = await db
      .updateTable('admission_inquiry')
      .set({ link_revoked_at: services.now() })
      .where('father_email', 'like', `%@${demoDomain}`)
      .where('link_revoked_at', 'is', null)
      .returning('id')
      .execute();
    for (const { id } of families)
      await audit(ctx, {
        actor: 'System',
        action: 'admission.link.revoked',
        entity: 'admission_inquiry',
        entityId: id,
      });
    return families.length;
  });
  if (open.length > 0) {
    const names = open.map(({ name }) => name).join(', ');
    log.warn(
      `Deactivated the demo accounts of ${names}, which anybody can use. Add an Admin with: npm run create-admin`,
    );
  }
  if (ended > 0) log.warn(`Ended the links of ${ended} demo families`);
}
