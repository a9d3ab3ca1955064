import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';

/** An empty state with a link to the tab of the Academic Master where the first entry is added. */
export const AddInAcademicMaster = ({ tab, message }: { tab: string; message: ReactNode }) => (
  <EmptyState message={message}>
    <PageLink to="/school-erp/academic/academic-master" search={{ tab }}>
      <Trans>Go to the Academic Master</Trans>
    </PageLink>
  </EmptyState>
);
