import { randomBytes } from 'node:crypto';
import { extendLinks, linkOf } from '#features/family/api.ts';
import { codeOf } from '#features/sign-in/api.ts';
import { type Browser, openBrowser } from './browser.ts';
import type { School } from './school.ts';
import { raise, seat } from './seated.ts';
import { openSection } from './teachers.ts';

/** A guardian with a mobile number and the link to the family page. */
export async function raiseWithLink(
  school: School,
  children: readonly number[],
  adult: { firstName: string; mobile?: string } = { firstName: 'Meera', mobile: '9825000001' },
  bond?: Parameters<typeof raise>[3],
) {
  const guardianId = await raise(school, children, adult, bond);
  return { guardianId, link: await linkValueOf(school, guardianId) };
}

/** The value of a guardian's link, which is made if it is missing. */
export async function linkValueOf(school: School, guardianId: number): Promise<string> {
  const [link] = await school.services.db
    .transaction()
    .execute((db) => extendLinks({ ...school.context(), db }, [guardianId]));
  const addresses = link && (await linkOf(school.services, link));
  return addresses?.link.split('=')[1] ?? '';
}

/** The value of a new address of a guardian’s calendar. */
export async function feedValueOf({ sql }: Pick<School, 'sql'>, guardianId: number): Promise<string> {
  const value = randomBytes(16).toString('hex');
  await sql(`insert into family_feed (guardian_id, value_hash, made_at) values (${guardianId}, sha256('${value}'), now())
    on conflict (guardian_id) do update set value_hash = excluded.value_hash`);
  return value;
}

/** A guardian of a child who is here today, with the link. */
export async function openFamilyPage(school: School) {
  const child = await seat(school, await openSection(school), 'Aarohi');
  return { child, ...(await raiseWithLink(school, [child])) };
}

/** The code that was sent to a guardian last. */
export async function codeSent(school: School, guardianId: number): Promise<string> {
  const [row] = await school.sql(
    `select id, salt from family_code where guardian_id = ${guardianId} order by id desc limit 1`,
  );
  return codeOf(school.services, { id: Number(row?.id), salt: row?.salt as Buffer });
}

/** A phone on which the guardian of a link has typed the code. */
export async function prove(
  school: School,
  { guardianId, link }: { guardianId: number; link: string },
  phone: Browser = openBrowser(school),
): Promise<Browser> {
  const send = (path: string, body: object) =>
    phone.send({ method: 'POST', url: `/api/family/${path}?family=${link}`, body });
  const asked = await send('code', {});
  const { status, text } = await send('prove', { code: await codeSent(school, guardianId) });
  if (asked.status !== 200 || status !== 200) throw new Error(`The phone was not proven: ${asked.text} ${text}`);
  return phone;
}
