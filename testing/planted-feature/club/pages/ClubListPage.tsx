import { Trans } from '@lingui/react/macro';

/** /school-erp/club/club-list */
export const ClubListPage = () => (
  <p>
    <Trans>Planted clubs meet on Fridays.</Trans>
  </p>
);
