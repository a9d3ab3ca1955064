import { sql } from 'kysely';
import { linkOf, shortNames } from '#features/family/api.ts';
import { type Block, plainParagraphs } from '#kit/contract/rich-text.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

interface Words {
  school: string;
  phone: string;
  children: string | Text;
  title: string;
  body: readonly Block[];
  link: string;
  shortLink: string;
}

/** Operators replace a variable by at most 30 characters. */
const mostOfVariable = 30;

/** A text cut at a word, so that it fits a variable of a text message. */
function shorten(words: string): string {
  if ([...words].length <= mostOfVariable) return words;
  const cut = [...words].slice(0, mostOfVariable - 3).join('');
  const end = cut.lastIndexOf(' ');
  return `${(end > 8 ? cut.slice(0, end) : cut).trimEnd()}...`;
}

const noticeSms = ({ school, children, title, shortLink }: Words): Text =>
  text`Dear parent, ${{ school }}: notice for ${{ children }}: ${{ title }} Read: ${{ shortLink }}`;
const emergencySms = ({ school, children, title, shortLink }: Words): Text =>
  text`Dear parent, urgent from ${{ school }} for ${{ children }}: ${{ title }} Read: ${{ shortLink }}`;

const render = ({ school, phone, children, title, body, link }: Words, sms: Text, isEmergency: boolean): Rendered => ({
  page: link,
  subject: isEmergency ? text`Urgent from ${{ school }}: ${{ title }}` : text`${{ school }}: ${{ title }}`,
  paragraphs: [
    text`For the family of ${{ children }}`,
    ...plainParagraphs(body).map(verbatim),
    text`Read it on your page of the school: ${{ link }}`,
    text`${{ school }}, ${{ phone }}`,
  ],
  sms,
});

interface Told {
  guardianId: number;
  school: string;
  phone: string;
  title: string;
  body: Block[];
  /** First names, of the audience of today. */
  names: string[] | null;
  isLive: boolean;
  email: string;
  mobile: string;
  channel: string;
}

/** A message as it is about to be sent: the text and the children of now. */
async function findTold({ db, now }: Pick<Context, 'db' | 'now'>, deliveryId: number): Promise<Told | undefined> {
  const { rows } = await sql<Told>`
    select told.guardian_id as "guardianId", school.name as school, school.phone, own.title, own.body, lower(adult.email) as email, adult.mobile, told.channel,
      notice.state = 'Ready' and coalesce(notice.expires_at > ${now()}, true) as "isLive",
      (select array_agg(child.first_name order by child.birth_date, child.id)
        from announcement_pairs(told.announcement_id, ${toLocalDate(now())}::date) as pair
        join student_guardian link on link.guardian_id = pair.guardian_id and link.student_id = pair.student_id and link.receives_messages
        join student child on child.id = pair.student_id
        where pair.guardian_id = told.guardian_id) as names
    from announcement_delivery told
    join announcement notice on notice.id = told.announcement_id
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    join guardian adult on adult.id = told.guardian_id
    cross join academic_school school
    where told.id = ${deliveryId}`.execute(db);
  return rows[0];
}

type Kind = 'announcement.notice' | 'announcement.emergency';
export const kindOf = (isEmergency: boolean): Kind => (isEmergency ? 'announcement.emergency' : 'announcement.notice');

/** What the message to one guardian says. */
export interface Noticed extends Pick<Words, 'school' | 'phone' | 'title' | 'body'> {
  names: readonly string[];
}

type Linked = Pick<Words, 'link' | 'shortLink'>;

/** The text message to a guardian about the children of these first names. */
export function noticeText(told: Omit<Noticed, 'body'> & Linked, kind: Kind): Text {
  const short = { ...told, body: [], title: shorten(told.title), children: shortNames(told.names) };
  return kind === 'announcement.emergency' ? emergencySms(short) : noticeSms(short);
}

/** The message to a guardian about the children of these first names. */
export const noticeOf = ({ names, ...told }: Noticed & Linked, kind: Kind): Rendered =>
  render(
    { ...told, children: names.join(', ') },
    noticeText({ ...told, names }, kind),
    kind === 'announcement.emergency',
  );

const template = (kind: Kind): Template => ({
  render: async (services, id, version) => {
    const told = await findTold(services, id);
    if (!told?.isLive || !told.names) return undefined;
    const link = await linkOf(services, { guardianId: told.guardianId, version });
    return link && noticeOf({ ...told, names: told.names, ...link }, kind);
  },
  isFor: async (services, { subjectId, recipient, version }) => {
    const told = await findTold(services, subjectId);
    if (!told || recipient !== (told.channel === 'email' ? told.email : told.mobile)) return false;
    return (await linkOf(services, { guardianId: told.guardianId, version })) !== undefined;
  },
});

export const announcementTemplates = {
  'announcement.notice': template('announcement.notice'),
  'announcement.emergency': template('announcement.emergency'),
};

/** A link as long as real ones. */
export const exampleLink = (publicUrl: string) => ({
  link: `${publicUrl}/family?family=0123456789abcdef0123456789abcdef`,
  shortLink: `${publicUrl}/a/abcdefghjk`,
});

const example =
  (kind: Kind): TextMessage['example'] =>
  ({ name, phone }, publicUrl) => {
    const title = 'School is closed on Monday';
    return noticeOf(
      { school: name, phone, names: ['Aarohi', 'Dev'], title, body: [], ...exampleLink(publicUrl) },
      kind,
    );
  };

export const announcementTexts: Record<string, TextMessage> = {
  'announcement.notice': { when: text`When an announcement is published.`, example: example('announcement.notice') },
  'announcement.emergency': { when: text`When an emergency is announced.`, example: example('announcement.emergency') },
};
