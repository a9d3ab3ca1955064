import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, callForFile } from '#kit/browser/call.ts';
import { useConfirmed } from '#kit/browser/confirmed.ts';
import { PageHead } from '#kit/browser/PageHead.tsx';
import { Reading } from '#kit/browser/Reading.tsx';
import { useRead } from '#kit/browser/read.ts';
import { showMoment } from '#kit/browser/show.ts';
import { said } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/toast.tsx';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { type AuditEntry, auditApi } from '../contract.ts';

const names = ['actor', 'action', 'result', 'from', 'to', 'entity', 'entityId'] as const;
type Filter = Partial<Record<(typeof names)[number] | 'before', string>>;

/** /school-erp/audit: who did what, and who saw it. */
export function AuditPage() {
  const { t } = useLingui();
  const filter: Filter = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (wanted: Filter) =>
    void navigate({ search: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)) as never });
  const input = Object.fromEntries(Object.entries(filter).filter(([name]) => name in filter)) as never;
  const entries = useRead(auditApi.list, input);
  return (
    <>
      <PageHead title={t`Audit log`}>
        <Verify />
        <Export filter={filter} />
      </PageHead>
      <Filters key={JSON.stringify(filter)} filter={filter} onFilter={go} />
      <Reading query={entries}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 ? (
              <p className="soft">
                <Trans>Nothing was written down that fits. Take a filter away.</Trans>
              </p>
            ) : (
              <Entries rows={rows} onRecord={(entity, entityId) => go({ entity, entityId })} />
            )}
            <p className="list-foot">
              {filter.before && (
                <button type="button" className="button" onClick={() => go({ ...filter, before: '' })}>
                  <Trans>Newest</Trans>
                </button>
              )}
              {next !== null && (
                <button type="button" className="button" onClick={() => go({ ...filter, before: String(next) })}>
                  <Trans>Older</Trans>
                </button>
              )}
            </p>
          </>
        )}
      </Reading>
    </>
  );
}

interface FiltersProps {
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

function Filters({ filter, onFilter }: FiltersProps) {
  const { t } = useLingui();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onFilter(Object.fromEntries(new FormData(event.currentTarget)) as Filter);
  };
  const box = (name: (typeof names)[number], label: string, type = 'text') => (
    <label>
      {label}
      <input className="box" name={name} type={type} defaultValue={filter[name] ?? ''} autoComplete="off" />
    </label>
  );
  return (
    <form className="filters" onSubmit={submit} aria-label={t`Filters`}>
      {box('actor', t`Who`)}
      {box('action', t`What`)}
      <label>
        {t`Result`}
        <select className="box" name="result" defaultValue={filter.result ?? ''}>
          <option value="">{t`all`}</option>
          <option value="done">{t`done`}</option>
          <option value="refused">{t`refused`}</option>
        </select>
      </label>
      {box('from', t`From`, 'date')}
      {box('to', t`To`, 'date')}
      {box('entity', t`Record`)}
      {box('entityId', t`Number`, 'text')}
      <button type="submit" className="button">
        <Trans>Filter</Trans>
      </button>
    </form>
  );
}

interface EntriesProps {
  rows: AuditEntry[];
  /** Shows everything about one record: who changed it, and who saw it. */
  onRecord: (entity: string, entityId: string) => void;
}

function Entries({ rows, onRecord }: EntriesProps) {
  const { t } = useLingui();
  const heads = [t`Time`, t`Who`, t`What`, t`Record`, t`Result`, t`Details`];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard to be scrolled.
    <section className="table-frame" aria-label={t`Audit log`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{showMoment(row.at)}</td>
              <td>
                {row.actor} <span className="soft">{row.role}</span>
              </td>
              <td>{row.action}</td>
              <td>
                <button
                  type="button"
                  className="link-button"
                  aria-label={t`Everything about ${row.entity} ${row.entityId}`}
                  onClick={() => onRecord(row.entity, String(row.entityId))}
                >
                  {row.entity} {row.entityId}
                </button>
              </td>
              <td className={row.result === 'refused' ? 'bad' : undefined}>
                {row.result === 'done' ? t`done` : t`refused`}
              </td>
              <td>
                <details>
                  <summary>{row.address}</summary>
                  <dl className="facts">
                    {Object.entries({ session: row.session, request: row.requestId, ...row.details }).map(
                      ([name, value]) => (
                        <div key={name}>
                          <dt>{name}</dt>
                          <dd>{String(value)}</dd>
                        </div>
                      ),
                    )}
                  </dl>
                </details>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Verify() {
  const { t } = useLingui();
  const [verdict, setVerdict] = useState('');
  const verify = async () => {
    setVerdict(t`Looking …`);
    try {
      const { sealed, brokenAt, head } = await call(auditApi.verify, {});
      setVerdict(
        brokenAt === null
          ? t`${sealed} entries are as they were sealed; the last seal is ${head}.`
          : t`Entry ${brokenAt} is not as it was sealed. Tell whoever runs this system at once.`,
      );
    } catch (error) {
      setVerdict(said(error instanceof AppError ? error.message : unexpectedMessage));
    }
  };
  return (
    <>
      <span role="status" className="soft">
        {verdict}
      </span>
      <button type="button" className="button" onClick={() => void verify()}>
        <Trans>Check the seals</Trans>
      </button>
    </>
  );
}

function Export({ filter: { before: _, ...filter } }: { filter: Filter }) {
  const confirmed = useConfirmed();
  const toast = useToast();
  const save = async () => {
    try {
      const file = await confirmed(() => callForFile(auditApi.export, filter as never));
      const link = Object.assign(document.createElement('a'), {
        href: URL.createObjectURL(file),
        download: 'audit.csv',
      });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      toast({ kind: 'warning', title: said(error instanceof AppError ? error.message : unexpectedMessage) });
    }
  };
  return (
    <button type="button" className="button" onClick={() => void save()}>
      <Trans>Export</Trans>
    </button>
  );
}
