import * as z from 'zod/mini';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';

const person = z.object({ kind: z.string(), id: z.number(), title: z.string(), to: z.string() });
/** A person whose page was opened from the search. */
export type RecentPerson = z.infer<typeof person>;

/** Those of the search. */
const found = { name: 'recent-people', most: 5 };

/** The people whom this user found last on this device, the latest first, and a function that adds one. */
export function useRecentPeople(userID: number, list: { name: string; most: number } = found) {
  const name = `${list.name}:${userID}`;
  const recent = read(useStored(name));
  const add = ({ kind, id, title, to }: RecentPerson) => {
    const others = recent.filter((other) => !isSame(other, { kind, id }));
    store(name, JSON.stringify([{ kind, id, title, to }, ...others].slice(0, list.most)));
  };
  return { recent, add };
}

type Identity = Pick<RecentPerson, 'kind' | 'id'>;

export const isSame = (one: Identity, other: Identity) => one.kind === other.kind && one.id === other.id;

function read(kept: string | null): RecentPerson[] {
  try {
    return z.array(person).parse(JSON.parse(kept ?? '[]'));
  } catch {
    return []; // Written by an earlier version.
  }
}
