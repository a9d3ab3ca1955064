import { Trans, useLingui } from '@lingui/react/macro';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { SchoolPage } from './SchoolPage.tsx';
import { Skeleton } from './Skeleton.tsx';

/** The shape of a page while its answers are loading. */
export function PageSkeleton() {
  const { t } = useLingui();
  return (
    <SchoolPage title={t`Admission Form`}>
      <VisuallyHidden as="p" role="status">
        <Trans>Loading</Trans>
      </VisuallyHidden>
      <Skeleton hasTitle />
    </SchoolPage>
  );
}
