import { Trans, useLingui } from '@lingui/react/macro';
import { SchoolPage } from './SchoolPage.tsx';

/** The shape of a page while its answers are loading. */
export function PageSkeleton() {
  const { t } = useLingui();
  return (
    <SchoolPage title={t`Admission Form`}>
      <p className="only-read" role="status">
        <Trans>Loading</Trans>
      </p>
      <div className="skeleton" aria-hidden>
        <i className="skeleton-steps" />
        <i className="skeleton-title" />
        <i className="skeleton-section" />
        <i className="skeleton-section" />
      </div>
    </SchoolPage>
  );
}
