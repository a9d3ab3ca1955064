import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';

/** What is missing, and the tab of the Academic Master where it is made. */
export function NoSections({ what, tab }: { what: ReactNode; tab: 'section' | 'grade' }) {
  return (
    <div className="no-rows">
      <p>
        <strong>{what}</strong>
      </p>
      <PageLink to="/school-erp/academic/academic-master" search={{ tab }}>
        {tab === 'section' ? (
          <Trans>Add sections in the Academic Master</Trans>
        ) : (
          <Trans>Add grades in the Academic Master</Trans>
        )}
      </PageLink>
    </div>
  );
}
