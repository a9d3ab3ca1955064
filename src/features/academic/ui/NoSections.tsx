import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** What is missing, and the tab of the Academic Master where it is made. */
export function NoSections({ what, tab }: { what: ReactNode; tab: 'section' | 'grade' }) {
  return (
    <div className="no-rows">
      <p>
        <strong>{what}</strong>
      </p>
      <Link to="/school-erp/academic/academic-master" search={{ tab } as never}>
        {tab === 'section' ? (
          <Trans>Add sections in the Academic Master</Trans>
        ) : (
          <Trans>Add grades in the Academic Master</Trans>
        )}
      </Link>
    </div>
  );
}
