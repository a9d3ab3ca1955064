import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { workingYearName } from '#features/calendar/contract/year.ts';
import { Checklist } from '#features/school/ui/checklist.ts';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showNumber } from '#kit/contract/text.ts';
import { type DashboardCard, dashboardApi } from '../contract.ts';
import styles from './DashboardPage.module.css';
import { Warnings } from './Warnings.tsx';

/** /school-erp/dashboard: what needs attention, and the figures that the user's role and sets allow. */
export function DashboardPage({ me }: { me: Me }) {
  const { t } = useLingui();
  const academicYearId = Number(useStored(workingYearName)) || undefined;
  const query = useRead(dashboardApi.read, { academicYearId });
  const isAdmin = me.role === 'Admin';
  return (
    <>
      <PageHead title={t`Dashboard`} />
      <p className="soft">
        <Trans>Welcome, {me.name}.</Trans>
        {query.data?.year && (
          <>
            {' '}
            <span className={styles.year}>
              <Trans>Academic year {query.data.year}</Trans>
            </span>
          </>
        )}
      </p>
      <QueryBoundary query={query} skeleton={<CardsSkeleton />}>
        {({ warnings, cards }) => (
          <>
            <Warnings warnings={warnings} />
            {cards.length > 0 && (
              <div className={styles.cards}>
                {cards.map((card) => (
                  <Card key={card.title.id} card={card} />
                ))}
              </div>
            )}
            {cards.length === 0 && !isAdmin && (
              <EmptyState
                message={<Trans>You have no pages here yet. Ask an Admin for the permissions you need.</Trans>}
              />
            )}
          </>
        )}
      </QueryBoundary>
      {isAdmin && <Checklist />}
    </>
  );
}

/** Stands where the first cards will be, so that they do not move. */
const CardsSkeleton = () => (
  <div className={styles.cards} data-skeleton aria-hidden>
    <div className={styles.skeleton} />
    <div className={styles.skeleton} />
    <div className={styles.skeleton} />
  </div>
);

function Card({ card: { title, figures } }: { card: DashboardCard }) {
  const heading = useId();
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h2 id={heading}>{translate(title)}</h2>
      <dl>
        {figures.map(({ label, value, isProblem, to }) => (
          <div key={`${to} ${label.id}`} className={isProblem && value > 0 ? styles.problem : undefined}>
            <dt>{to ? <ServedLink to={`/school-erp/${to}`}>{translate(label)}</ServedLink> : translate(label)}</dt>
            <dd>{showNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
