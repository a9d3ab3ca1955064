import { Trans, useLingui } from '@lingui/react/macro';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { SchoolPage } from './SchoolPage.tsx';

/** The shape of a page while its answers are loading. */
export function PageSkeleton() {
  const { t } = useLingui();
  return (
    <SchoolPage title={t`Admission Form`}>
      <VisuallyHidden as="p" role="status">
        <Trans>Loading</Trans>
      </VisuallyHidden>
      <div className="skeleton" aria-hidden>
        <i className="skeleton-steps" />
        <i className="skeleton-title" />
        <i className="skeleton-section" />
        <i className="skeleton-section" />
      </div>
    </SchoolPage>
  );
}
