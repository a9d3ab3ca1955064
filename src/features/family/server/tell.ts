import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { queueMessages } from '#kit/server/messages/outbox.ts';
import { extendLinks } from './link.ts';

type Channel = 'email' | 'sms';

/** How much a message matters: one that must be read goes to the phone first, one of an emergency by every channel. */
export type Urgency = 'Must' | 'Normal' | 'Digest' | 'Emergency';

/** The order in which the channels are tried. */
export const channelOrder: Readonly<Record<Urgency, readonly Channel[]>> = {
  Must: ['sms', 'email'],
  Normal: ['email', 'sms'],
  Digest: ['email', 'sms'],
  Emergency: ['email', 'sms'],
};

interface Sending {
  /** The name of the message's template. */
  kind: string;
  urgency: Urgency;
  /** The channels that the school allows for it; by default all. */
  sends?: readonly Channel[];
}

const sendsOf = ({ urgency, sends }: Sending) =>
  channelOrder[urgency].filter((channel) => sends?.includes(channel) ?? true);

/** A message to a guardian is about a child. */
interface Pair {
  guardianId: number;
  studentId: number;
}

/** An address of a guardian, as `waysOf` and `firstContacts` find it. */
export interface Way {
  guardianId: number;
  channel: Channel;
  recipient: string;
}

export interface Reach {
  guardianId: number;
  /** Empty where the guardian is not reached. */
  ways: Way[];
  reason: '' | 'No address' | 'Does not work' | 'Receives no messages' | 'Muted' | 'Same as';
  /** Who reads the message of this guardian, at the same address. */
  reader: string;
}

/** How these guardians are reached with a message about these children, each guardian once. */
export async function waysOf(
  { db }: Pick<Context, 'db'>,
  sending: Sending,
  pairs: readonly Pair[],
): Promise<Map<number, Reach>> {
  const { rows } = await sql<
    Omit<Reach, 'ways'> & { channel: Channel | null; recipient: string | null }
  >`select way.guardian_id as "guardianId", way.channel, way.address as recipient, way.reason, coalesce(reader.name, '') as reader
    from family_ways(${pairs.map(({ guardianId }) => guardianId)}::integer[], ${pairs.map(({ studentId }) => studentId)}::integer[],
      ${sending.kind}, ${sendsOf(sending)}::text[], ${sending.urgency === 'Emergency'}) as way
    left join guardian reader on reader.id = way.same_as
    order by way.guardian_id, way.channel`.execute(db);
  const reached = new Map<number, Reach>();
  for (const { channel, recipient, ...row } of rows) {
    const reach = reached.get(row.guardianId) ?? { ...row, ways: [] };
    reached.set(row.guardianId, reach);
    if (channel && recipient && row.reason === '') reach.ways.push({ guardianId: row.guardianId, channel, recipient });
  }
  return reached;
}

interface FirstContact {
  guardianId: number;
  name: string;
  way: Way;
}

/** The adult who is told of each child: the first to call of those who receive messages and have an address. */
export async function firstContacts(
  { db }: Pick<Context, 'db'>,
  sending: Sending,
  studentIds: readonly number[],
): Promise<Map<number, FirstContact>> {
  const { rows } = await sql<Way & { studentId: number; name: string }>`
    with bond as materialized (
      select link.student_id, link.guardian_id, link.is_primary, link.contact_order from student_guardian link
      where link.student_id = any(${studentIds}::integer[]) and link.receives_messages and not link.is_barred)
    select distinct on (bond.student_id) bond.student_id as "studentId", adult.id as "guardianId", adult.name, way.channel,
      way.address as recipient
    from bond
    join family_ways(array(select guardian_id from bond order by guardian_id, student_id),
      array(select student_id from bond order by guardian_id, student_id),
      ${sending.kind}, ${sendsOf(sending)}::text[], false) as way on way.guardian_id = bond.guardian_id and way.address <> ''
    join guardian adult on adult.id = bond.guardian_id
    order by bond.student_id, bond.is_primary desc, bond.contact_order, bond.guardian_id`.execute(db);
  return new Map(
    rows.map(({ studentId, name, ...way }) => [studentId, { guardianId: way.guardianId, name, way }] as const),
  );
}

interface Told {
  way: Way;
  /** The row that the message is about. */
  subjectId: number;
  /** Only one message is ever queued under it. */
  key?: string | undefined;
  /** It is sent from this moment on. */
  notBefore?: Date | undefined;
}

/**
 * Queues a message to guardians, as the last step of a transaction: everything that is sent to families goes through here.
 * One that carries the link to the page extends the links; `isRenewed` ends those that work. One `isForNow` is sent in the
 * quiet hours too: a bus that comes at six.
 */
export async function tellGuardians(
  ctx: Context,
  {
    kind,
    urgency,
    carriesLink = false,
    isRenewed = false,
    isForNow = false,
  }: Omit<Sending, 'sends'> & { carriesLink?: boolean; isRenewed?: boolean; isForNow?: boolean },
  told: readonly Told[],
): Promise<void> {
  const links = carriesLink
    ? await extendLinks(
        ctx,
        told.map(({ way }) => way.guardianId),
        isRenewed,
      )
    : [];
  const versions = new Map(links.map(({ guardianId, version }) => [guardianId, version]));
  await queueMessages(
    ctx,
    told.map(({ way: { guardianId, channel, recipient }, subjectId, key, notBefore }) => ({
      channel,
      template: kind,
      recipient,
      subjectId,
      version: versions.get(guardianId),
      dedupeKey: key,
      notBefore,
      readerId: guardianId,
      isAwaited: urgency === 'Emergency',
      keepsQuiet: urgency !== 'Emergency' && !isForNow,
      // All but a digest waits for the school's quiet hours alone: a notice may be about the next morning.
      waitsForReader: urgency === 'Digest' && !isForNow,
    })),
  );
}
