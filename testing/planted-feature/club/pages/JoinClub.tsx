import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '#kit/browser/ui/Button.tsx';

/** Leads from a student to the planted clubs. */
export const JoinClub = ({ record: { name } }: { record: { name: string } }) => (
  <ButtonLink to="/school-erp" search={{}}>
    <Trans>Planted clubs of {name}</Trans>
  </ButtonLink>
);
