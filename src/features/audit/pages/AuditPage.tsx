import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Fragment, useState } from 'react';
import { staffNames } from '#access/contract/staff-names.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { FilterChip } from '#kit/browser/list/FilterChip.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterDay } from '#kit/browser/list/FilterDay.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Filters, FiltersButton } from '#kit/browser/list/Filters.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { headed } from '#kit/browser/master/MastersPage.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { backToTitle, PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { verbs } from '#kit/contract/audit-verbs.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type AuditEntry, auditApi } from '../contract/audit.ts';
import styles from './AuditPage.module.css';
import { joinViews } from './join-views.ts';

const names = ['staffId', 'actor', 'action', 'verb', 'area', 'result', 'from', 'to', 'entity', 'entityId'] as const;
type Filter = Partial<Record<(typeof names)[number] | 'before', string>>;

/** /school-erp/audit: changes, refusals and readings of sensitive records. */
export function AuditPage() {
  const { t } = useLingui();
  const { address: filter, go } = useListAddress<Filter>();
  const turn = (before: string) => {
    go({ ...filter, before });
    backToTitle();
  };
  const input = Object.fromEntries(Object.entries(filter).filter(([name]) => name in filter)) as never;
  const entries = useReadList(auditApi.list, input);
  return (
    <>
      <PageHead title={t`Audit log`}>
        <Verify />
        <Export filter={filter} />
      </PageHead>
      <EntryFilters filter={filter} areas={entries.data?.areas ?? []} onFilter={go} />
      <QueryBoundary query={entries}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 ? (
              <EmptyState message={<Trans>No entries match. Try removing a filter.</Trans>} />
            ) : (
              <Entries
                rows={rows}
                onRecord={(entity, entityId) => {
                  go({ entity, entityId });
                  backToTitle();
                }}
              />
            )}
            <p className="list-foot">
              {filter.before && (
                <Button onClick={() => turn('')}>
                  <Trans>Newest</Trans>
                </Button>
              )}
              {next !== null && (
                <Button onClick={() => turn(String(next))}>
                  <Trans>Older</Trans>
                </Button>
              )}
            </p>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface FiltersProps {
  filter: Filter;
  areas: readonly string[];
  onFilter: (filter: Filter) => void;
}

/** In one line on a desktop; on a phone behind a button that shows the number of active filters. */
function EntryFilters({ filter, areas, onFilter }: FiltersProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const count = names.filter((name) => filter[name]).length;
  const narrow = (wanted: Filter) => onFilter({ ...filter, before: '', ...wanted });
  const periods = [
    { label: t`Today`, days: 1 },
    { label: t`Last 7 days`, days: 7 },
    { label: t`Last 30 days`, days: 30 },
  ];
  const choice = (name: 'verb' | 'area', label: string, words: readonly string[]) => (
    <FilterChoice label={label} all={t`All`} value={filter[name] ?? ''} onChange={(word) => narrow({ [name]: word })}>
      {words.map((word) => (
        <option key={word} value={word}>
          {translateOption(word)}
        </option>
      ))}
    </FilterChoice>
  );
  const record = [filter.entity, filter.entityId].filter(Boolean).join(' ');
  return (
    <>
      <FiltersButton count={count} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <search className={isOpen ? undefined : styles.folded} aria-label={t`Filters`}>
        <Filters>
          <FilterOption
            label={t`User`}
            options={staffNames.options}
            offersInactive
            all={t`All`}
            value={filter.staffId ?? ''}
            onChange={(staffId) => narrow({ staffId, actor: '' })}
          />
          <FilterChoice
            label={t`Other user`}
            all={t`All`}
            value={filter.actor ?? ''}
            onChange={(actor) => narrow({ actor, staffId: '' })}
          >
            <option value="Parent">{t`Parent`}</option>
            <option value="System">{t`System`}</option>
            <option value="Nobody">{t`Not signed in`}</option>
          </FilterChoice>
          {choice('verb', t`Action`, verbs)}
          {choice('area', t`Record`, areas)}
          <FilterChoice
            label={t`Result`}
            all={t`All`}
            value={filter.result ?? ''}
            onChange={(result) => narrow({ result })}
          >
            <option value="done">{t`Done`}</option>
            <option value="refused">{t`Refused`}</option>
          </FilterChoice>
          <Row gap={12} align="end" className={styles.days}>
            <FilterDay label={t`From`} value={filter.from ?? ''} max={today()} onChange={(from) => narrow({ from })} />
            <FilterDay label={t`To`} value={filter.to ?? ''} max={today()} onChange={(to) => narrow({ to })} />
          </Row>
          <Row gap={4} align="center" wrap className={styles.buttons}>
            {record && (
              <FilterChip label={t`Record code`} value={record} onRemove={() => narrow({ entity: '', entityId: '' })} />
            )}
            {filter.action && (
              <FilterChip label={t`Action code`} value={filter.action} onRemove={() => narrow({ action: '' })} />
            )}
            {periods.map(({ label, days }) => (
              <Button key={days} kind="quiet" onClick={() => narrow(lastDays(days))}>
                {label}
              </Button>
            ))}
            {count > 0 && (
              <Button kind="quiet" onClick={() => onFilter({})}>
                <Trans>Clear filters</Trans>
              </Button>
            )}
          </Row>
        </Filters>
      </search>
    </>
  );
}

/** The last days, including today. */
const lastDays = (days: number): Filter => ({ from: today(days - 1), to: today() });

interface EntriesProps {
  rows: AuditEntry[];
  /** Shows the entries of one record. */
  onRecord: (entity: string, entityId: string) => void;
}

function Entries({ rows, onRecord }: EntriesProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<readonly number[]>([]);
  const others: Record<string, string> = { Parent: t`Parent`, System: t`System`, Nobody: t`Not signed in` };
  const userOf = (actor: string) => others[actor] ?? actor;
  /** A record by its kind and its name; by its number if it is deleted or has no name. */
  const recordOf = ({ kind, name, entityId }: AuditEntry) => {
    const [what, which] = [headed(translate(kind)), name || (entityId > 0 ? entityId : '')];
    return which === '' ? what : t`${what}: ${which}`;
  };
  const heads = [t`Time`, t`User`, t`Action`, t`Record`, t`Result`, t`Details`];
  return (
    <ListRows
      className={styles.log}
      caption={<Trans>Audit log</Trans>}
      heads={heads}
      rows={joinViews(rows).map(({ entry: row, earlier }) => ({
        key: row.id,
        cells: [
          showMoment(row.at),
          <Fragment key="who">
            {row.staffId === null ? (
              userOf(row.actor)
            ) : (
              <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(row.staffId) }}>
                {row.actor}
              </PageLink>
            )}{' '}
            <span className="soft">{translateOption(row.role)}</span>
          </Fragment>,
          earlier.length > 0 ? (
            <Fragment key="act">
              {translate(row.act)}{' '}
              <span className="soft">
                <Plural value={earlier.length} one="and # view before" other="and # views before" />
              </span>
            </Fragment>
          ) : (
            translate(row.act)
          ),
          <Button
            key="record"
            kind="link"
            aria-label={t`Show all entries of ${recordOf(row)}`}
            onClick={() => onRecord(row.entity, String(row.entityId))}
          >
            <BreakableText text={recordOf(row)} />
          </Button>,
          row.result === 'done' ? t`Done` : <Chip key="result" kind="bad">{t`Refused`}</Chip>,
          <Button
            key="details"
            kind="link"
            aria-expanded={open.includes(row.id)}
            aria-label={t`Details of ${translate(row.act)}, ${showMoment(row.at)}`}
            onClick={() => setOpen(open.includes(row.id) ? open.filter((id) => id !== row.id) : [...open, row.id])}
          >
            <Trans>Details</Trans>
          </Button>,
        ],
        below: open.includes(row.id) && (
          <>
            <Details row={row} />
            {earlier.map((view) => (
              <Fragment key={view.id}>
                <p>
                  {showMoment(view.at)} {translate(view.act)}
                </p>
                <Details row={view} />
              </Fragment>
            ))}
          </>
        ),
      }))}
    />
  );
}

function Details({ row }: { row: AuditEntry }) {
  const { action, entity, entityId, session, requestId, address, details } = row;
  const { t } = useLingui();
  const facts = [
    ...details.map(({ label, values }) => [translateOption(translate(label)), values.map(translate).join(', ')]),
    [t`Action code`, action],
    [t`Record code`, `${entity} ${entityId}`],
    [t`IP address`, address],
    [t`Sign-in session`, session],
    [t`Request ID`, requestId],
  ].filter(([, value]) => value !== '' && value !== null) as [string, unknown][];
  return (
    <Grid as="dl" gap="4 24">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </Grid>
  );
}

type Verdict = OutputOf<(typeof auditApi)['verify']>;

const isIntact = ({ brokenAt, unsealed, timeBackAt }: Verdict) =>
  brokenAt === null && unsealed === 0 && timeBackAt === null;

function Verify() {
  const { t } = useLingui();
  const [verdict, setVerdict] = useState<Verdict>();
  const { run, isBusy, problem } = useAction(auditApi.verify);
  const verify = async () => {
    setVerdict(undefined);
    setVerdict(await run({}));
  };
  return (
    <>
      <span role="status" className={!verdict || isIntact(verdict) ? 'soft' : 'error'}>
        {verdict && <VerdictWords verdict={verdict} />}
        {isBusy && t`Verifying…`}
      </span>
      {problem}
      <Button isBusy={isBusy} onClick={verify}>
        <Trans>Verify log</Trans>
      </Button>
    </>
  );
}

function VerdictWords({ verdict }: { verdict: Verdict }) {
  const { sealed, brokenAt, unsealed, timeBackAt } = verdict;
  if (isIntact(verdict))
    return <Plural value={sealed} one="# entry is unchanged." other="All # entries are unchanged." />;
  return (
    <>
      {brokenAt !== null && <Trans>Entry {brokenAt} was changed or deleted.</Trans>}{' '}
      {unsealed > 0 && (
        <Plural
          value={unsealed}
          one="# entry can’t be verified: it was added outside the system, or the system no longer protects the log."
          other="# entries can’t be verified: they were added outside the system, or the system no longer protects the log."
        />
      )}{' '}
      {timeBackAt !== null && <Trans>Entry {timeBackAt} has an earlier time than the entry before it.</Trans>}{' '}
      <Trans>Tell your system administrator at once.</Trans>
    </>
  );
}

function Export({ filter: { before: _, ...filter } }: { filter: Filter }) {
  const { attempt, problem } = useAttempt();
  const download = useDownload();
  const save = () => attempt(() => download(auditApi.export, filter as never, 'audit.csv'));
  return (
    <>
      {problem}
      <Button onClick={save}>
        <Trans>Export</Trans>
      </Button>
    </>
  );
}
