import { Trans, useLingui } from '@lingui/react/macro';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';

/** An address of the shell at which there is no page. */
export function NotFoundPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Page not found`} />
      <p className="notice-page">
        <Trans>The record was deleted, or the web address is wrong.</Trans>
      </p>
    </>
  );
}
