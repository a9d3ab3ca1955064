import type { Me } from '#features/sign-in/contract/sign-in.ts';
import type { BrowserFeature } from '#kit/browser/feature.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { features } from '../features.browser.tsx';

const all: readonly BrowserFeature[] = features;

/** The cards and acts of all features that the user may read. */
export function addedFor(me: Me) {
  const isGranted = ({ access }: { access: Access }) =>
    typeof access === 'string' ||
    access.some(
      ({ role, sets }) =>
        role === me.role && (sets.length === 0 || sets.some((set) => (me.sets as readonly string[]).includes(set))),
    );
  return {
    cards: all.flatMap(({ cards }) => cards).filter(isGranted),
    listActs: all.flatMap(({ listActs }) => listActs).filter(isGranted),
  };
}
