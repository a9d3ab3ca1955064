import type { Me } from '#features/sign-in/contract/sign-in.ts';
import type { BrowserFeature } from '#kit/browser/feature.ts';
import { type Access, isGranted } from '#kit/contract/endpoint.ts';
import { features } from '../features.browser.tsx';

const all: readonly BrowserFeature[] = features;

/** The cards and acts of all features that the user may read. */
export function addedFor(me: Me) {
  const isForMe = ({ access }: { access: Access }) => typeof access === 'string' || isGranted(access, me);
  return {
    cards: all.flatMap(({ cards }) => cards).filter(isForMe),
    recordActs: all.flatMap(({ recordActs }) => recordActs).filter(isForMe),
    listActs: all.flatMap(({ listActs }) => listActs).filter(isForMe),
    pageParts: all.flatMap(({ pageParts }) => pageParts).filter(isForMe),
    // A row is only there for those who may act on it.
    todoActs: all.flatMap(({ todoActs }) => todoActs),
  };
}
