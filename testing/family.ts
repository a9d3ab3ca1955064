import { extendLinks, linkOf } from '#features/family/api.ts';
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

/** A guardian of a child who is here today, with the link. */
export async function openFamilyPage(school: School) {
  const child = await seat(school, await openSection(school), 'Aarohi');
  return { child, ...(await raiseWithLink(school, [child])) };
}
