import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation } from '@tanstack/react-router';
import { translate } from '#kit/browser/text.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { isAt } from './address.ts';
import { allPages, menus } from './menu.ts';

/** A page of the menu whose area is not built yet: says plainly what it will hold. */
export function ComingPage() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const page = allPages.find((allPage) => isAt(pathname, allPage));
  const group = [...menus.Staff, ...menus.Admin].find(({ pages }) => pages.some((page) => isAt(pathname, page)));
  const title = page ? translate(page.title) : group ? translate(group.title) : t`Page not found`;
  if (!page) {
    return (
      <>
        <PageHead title={title} />
        <p className="coming">
          <Trans>The record was deleted, or the web address is wrong.</Trans>
        </p>
      </>
    );
  }
  return (
    <>
      <PageHead title={title} />
      <div className="coming">
        <p className="soft">
          <Trans>Coming soon.</Trans>
        </p>
      </div>
    </>
  );
}
