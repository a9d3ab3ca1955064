import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, useId } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import type { useRead } from '#kit/browser/data/read.ts';
import { AddedTodoActs } from '#kit/browser/record/added.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showNumber } from '#kit/contract/text.ts';
import type { dashboardApi, Todo } from '../contract.ts';
import styles from './TodoCard.module.css';

interface Props {
  query: ReturnType<typeof useRead<typeof dashboardApi.todo>>;
}

/** What the user has to do today, each with its name and what opens it: late first, then today, then soon. */
export function TodoCard({ query }: Props) {
  const heading = useId();
  const total = query.data && `${showNumber(query.data.total)}${query.data.isMore ? '+' : ''}`;
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <h2 id={heading}>
        <Trans>To do today</Trans>
      </h2>
      {total && query.data.total > 0 && <span className={styles.total}>{total}</span>}
      <QueryBoundary query={query} skeleton={<div className={styles.skeleton} data-skeleton aria-hidden />}>
        {(answer) => <TodoRows answer={answer} onRetry={() => void query.refetch()} />}
      </QueryBoundary>
    </section>
  );
}

function TodoRows({ answer, onRetry }: { answer: OutputOf<typeof dashboardApi.todo>; onRetry: () => void }) {
  const { t } = useLingui();
  const { rows, more, hasFailed } = answer;
  const parts = [
    { when: 'late', words: t`Late` },
    { when: 'today', words: t`Today` },
    { when: 'soon', words: t`Soon` },
  ].map((part) => ({ ...part, rows: rows.filter(({ when }) => when === part.when) }));
  return (
    <>
      {hasFailed && (
        <p className={styles.note}>
          <Trans>Some of it could not be loaded.</Trans>{' '}
          <Button kind="quiet" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
      {rows.length === 0 && !hasFailed && (
        <p className={styles.note}>
          <Trans>Nothing is waiting.</Trans>
        </p>
      )}
      {parts.map(
        (part) =>
          part.rows.length > 0 && (
            <Fragment key={part.when}>
              <h3 className={styles.when} data-when={part.when}>
                {part.words} <span className="soft">{part.rows.length}</span>
              </h3>
              <ul className={styles.rows}>
                {part.rows.map((row) => (
                  <Row key={`${row.kind} ${row.id}`} row={row} />
                ))}
              </ul>
            </Fragment>
          ),
      )}
      {more.length > 0 && (
        <p className={styles.more}>
          {more.map(({ title, count, isMore, to }) => (
            <ServedLink key={`${title.id} ${to}`} to={`/school-erp/${to}`}>
              <Trans>
                {showNumber(count)}
                {isMore ? '+' : ''} more: {translate(title)}
              </Trans>
            </ServedLink>
          ))}
        </p>
      )}
    </>
  );
}

function Row({ row }: { row: Todo }) {
  const { t } = useLingui();
  const { kind, title, about, detail, mobile, to, act } = row;
  const words = translate(act);
  return (
    <li>
      <div className={styles.words}>
        <p>
          <strong>{title}</strong> <span className="soft">{about}</span>
        </p>
        <p className="soft">
          {mobile && (
            <>
              <a href={`tel:${mobile}`}>{mobile}</a>{' '}
            </>
          )}
          {translate(detail)}
        </p>
      </div>
      <AddedTodoActs kind={kind} row={row} />
      <ServedLink className={styles.act} to={`/school-erp/${to}`} aria-label={t`${words}: ${title}`}>
        {words}
      </ServedLink>
    </li>
  );
}
