import { Trans, useLingui } from '@lingui/react/macro';
import {
  IconBus,
  IconCalendarCheck,
  IconCalendarEvent,
  IconEye,
  IconFileText,
  IconGavel,
  IconId,
  IconMessage,
  IconNotebook,
  IconPhone,
  IconReceiptRupee,
  IconTicket,
} from '@tabler/icons-react';
import { type ComponentType, Fragment, useEffect, useId, useRef, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import type { useRead } from '#kit/browser/data/read.ts';
import { AddedTodoActs, useHasTodoActs, useTodoKeys } from '#kit/browser/record/added.tsx';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { Grid, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showNumber } from '#kit/contract/text.ts';
import type { TodoIcon } from '#kit/contract/todo.ts';
import type { dashboardApi, Todo } from '../contract.ts';
import styles from './TodoCard.module.css';

interface Props {
  query: ReturnType<typeof useRead<typeof dashboardApi.todo>>;
}

/** What the user has to do today, each with its name and what opens it: late first, then today, then soon. */
export function TodoCard({ query }: Props) {
  const heading = useId();
  const card = useRef<HTMLElement>(null);
  useSingleKeys(card, ({ key }, at) => {
    const rows = [...(card.current?.querySelectorAll('[data-act-row]') ?? [])];
    const here = at.closest('[data-act-row]');
    if (key === 'j' || key === 'k') {
      const place = here ? rows.indexOf(here) + (key === 'j' ? 1 : -1) : 0;
      const link = rows[place]?.querySelector('a');
      return link ? () => link.focus() : undefined;
    }
    if (key === 'a') {
      const act = (here ?? rows[0])?.querySelector<HTMLElement>('[data-acts] :is(a, button)');
      return act ? () => act.click() : undefined;
    }
    if (!/^[1-9]$/.test(key)) return undefined;
    const row = here ?? rows.find((one) => one.querySelector('[data-key]'));
    const button = row?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    return button ? () => button.click() : undefined;
  });
  const total = query.data && `${showNumber(query.data.total)}${query.data.isMore ? '+' : ''}`;
  return (
    <Grid
      as="section"
      gap="0 12"
      align="baseline"
      ref={card}
      framed
      className={styles.card}
      aria-labelledby={heading}
      tabIndex={-1}
    >
      <h2 id={heading}>
        <Trans>To do today</Trans>
      </h2>
      {total && query.data.total > 0 && <span className={styles.total}>{total}</span>}
      <QueryBoundary query={query} skeleton={<div className={styles.skeleton} data-skeleton aria-hidden />}>
        {(answer) => <TodoRows answer={answer} onRetry={() => void query.refetch()} />}
      </QueryBoundary>
    </Grid>
  );
}

/** How many rows a phone shows at first. */
const onPhone = 6;

function TodoRows({ answer, onRetry }: { answer: OutputOf<typeof dashboardApi.todo>; onRetry: () => void }) {
  const { t } = useLingui();
  const { more, hasFailed } = answer;
  const isPhone = useMedia('(max-width: 767px)');
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // The pressed button is gone: the first row that appears takes the focus.
  useEffect(() => {
    if (isWhole) list.current?.querySelectorAll('[data-act-row]')[onPhone]?.querySelector('a')?.focus();
  }, [isWhole]);
  const [rows, folded] =
    isPhone && !isWhole && answer.rows.length > onPhone + 2
      ? [answer.rows.slice(0, onPhone), answer.rows.length - onPhone]
      : [answer.rows, 0];
  const keys = useTodoKeys(rows.map(({ kind }) => kind));
  const parts = [
    { when: 'late', words: t`Late` },
    { when: 'today', words: t`Today` },
    { when: 'soon', words: t`Soon` },
  ].map((part) => ({ ...part, rows: rows.filter(({ when }) => when === part.when) }));
  return (
    <div ref={list}>
      {hasFailed && (
        <p className={styles.note}>
          <Trans>Part of this could not be loaded.</Trans>{' '}
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
              <Text as="h3" size={13} line="hair-above" className={styles.when} data-when={part.when}>
                {part.words} <span className="soft">{answer.rows.filter(({ when }) => when === part.when).length}</span>
              </Text>
              <ActRows>
                {part.rows.map((row) => (
                  <TodoRow key={`${row.kind} ${row.id}`} row={row} />
                ))}
              </ActRows>
            </Fragment>
          ),
      )}
      {folded > 0 && (
        <Row line="hair-above" className={styles.more}>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            <Trans>Show {showNumber(folded)} more</Trans>
          </Button>
        </Row>
      )}
      {folded === 0 && (more.length > 0 || rows.length > 0) && (
        <Row gap="4 16" wrap line="hair-above" className={styles.more}>
          {more.map(({ title, count, isMore, to }) => (
            <ServedLink key={`${title.id} ${to}`} to={`/school-erp/${to}`}>
              <Trans>
                {showNumber(count)}
                {isMore ? '+' : ''} more: {translate(title)}
              </Trans>
            </ServedLink>
          ))}
          {rows.length > 0 && (
            <Row as="p" gap="4 12" wrap tone="soft" size={13} ml="auto" className={styles.keys}>
              <span>
                <kbd>J</kbd> <kbd>K</kbd> <Trans>next, previous</Trans>
              </span>
              <span>
                <kbd>A</kbd> <Trans>first button</Trans>
              </span>
              {keys.map((does, index) => (
                <span key={does.id}>
                  <kbd>{index + 1}</kbd> {translate(does)}
                </span>
              ))}
            </Row>
          )}
        </Row>
      )}
    </div>
  );
}

const icons: Record<TodoIcon, ComponentType<{ size: number; 'aria-hidden': true }>> = {
  call: IconPhone,
  form: IconFileText,
  document: IconId,
  register: IconCalendarCheck,
  decision: IconGavel,
  ticket: IconTicket,
  eye: IconEye,
  book: IconNotebook,
  money: IconReceiptRupee,
  bus: IconBus,
  day: IconCalendarEvent,
  message: IconMessage,
};

function TodoRow({ row }: { row: Todo }) {
  const { t } = useLingui();
  const hasActs = useHasTodoActs();
  const { kind, when, about, icon, due, detail, mobile, to, act } = row;
  const title = typeof row.title === 'string' ? row.title : translate(row.title);
  const words = translate(act);
  const says = translate(detail);
  const address = `/school-erp/${to}`;
  const Icon = icons[icon];
  return (
    <ActRow
      icon={<Icon size={18} aria-hidden />}
      title={title}
      to={address}
      about={about}
      late={due && translate(due)}
      detailTitle={says}
      detail={
        (mobile || says) && (
          <>
            <PhoneLink mobile={mobile} /> {when === 'late' && !due ? <Overdue>{says}</Overdue> : says}
          </>
        )
      }
    >
      {hasActs(kind) ? (
        <AddedTodoActs kind={kind} row={{ ...row, title }} />
      ) : (
        <ServedButton to={address} aria-label={t`${words}: ${title}`}>
          {words}
        </ServedButton>
      )}
    </ActRow>
  );
}
