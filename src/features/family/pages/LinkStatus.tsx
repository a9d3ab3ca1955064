import { translateOption } from '#kit/browser/text.ts';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { LinkState } from '../contract/link.ts';

const kinds = { 'Not sent': 'plain', Works: 'good', Expired: 'warn', Revoked: 'bad' } as const;

/** The state of a guardian's link. */
export const LinkStatus = ({ state }: { state: LinkState }) => (
  <Status kind={kinds[state]}>{translateOption(state)}</Status>
);
