import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiForm, useApiForm } from '#kit/browser/ApiForm.tsx';
import { useAttempt } from '#kit/browser/attempt.tsx';
import { Breakable } from '#kit/browser/Breakable.tsx';
import { CardTable } from '#kit/browser/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ConfirmButton.tsx';
import { call } from '#kit/browser/call.ts';
import { Row, TickField } from '#kit/browser/choices.tsx';
import { useConfirmed } from '#kit/browser/confirmed.ts';
import { TextField } from '#kit/browser/fields.tsx';
import { backToTitle, PageHead } from '#kit/browser/PageHead.tsx';
import { Reading } from '#kit/browser/Reading.tsx';
import { queryClient, useRead, useReadList } from '#kit/browser/read.ts';
import { showMoment } from '#kit/browser/show.ts';
import { said } from '#kit/browser/text.ts';
import { type PermissionSet, permissionSets, setWords } from '../contract/access.ts';
import { type Account, type AccountRequest, accountApi } from '../contract/account.ts';
import { deviceOf } from '../contract/session.ts';

interface Address {
  search?: string;
  state?: 'active' | 'closed';
  after?: string;
}

/** /school-erp/sign-in/account: who may sign in, as what; and who asks to. */
export function AccountsPage() {
  const { t } = useLingui();
  const { search = '', state, after = '' }: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (more: Address) => void navigate({ search: withoutEmpty({ search, state, ...more }) as never });
  const turn = (to: string) => {
    go({ after: to });
    backToTitle();
  };
  const accounts = useReadList(accountApi.list, { search, after, state: state ?? 'all' });
  const requests = useRead(accountApi.requests, { search: '', after: '' });
  const hasRequests = requests.data !== undefined && requests.data.rows.length > 0;
  return (
    <>
      <PageHead title={t`Accounts`} />
      {hasRequests && <Requests rows={requests.data.rows} />}
      <section className="sheet sheet-wide">
        <h2 className={hasRequests ? undefined : 'only-read'}>
          <Trans>Everybody with an account</Trans>
        </h2>
        <div className="filters">
          <SearchBox value={search} onSearch={(words) => go({ search: words, after: '' })} />
          <label>
            <Trans>Show</Trans>{' '}
            <select
              className="box"
              value={state ?? ''}
              onChange={({ currentTarget: { value } }) => go({ state: (value || undefined) as 'active', after: '' })}
            >
              <option value="">{t`all`}</option>
              <option value="active">{t`those who may sign in`}</option>
              <option value="closed">{t`those who may not`}</option>
            </select>
          </label>
        </div>
        <Reading query={accounts}>
          {({ rows, next, total, isMore }) =>
            rows.length === 0 ? (
              <p className="soft">
                <Trans>Nobody is found. Look for another name, or show all.</Trans>
              </p>
            ) : (
              <>
                <CardTable
                  className="list accounts"
                  caption={<Trans>Accounts</Trans>}
                  heads={[t`Name`, t`Signs in as`, t`State`, t`Signed in`]}
                  rows={rows.map((account) => ({
                    key: account.id,
                    cells: [
                      <WhoItIs key="name" account={account} />,
                      <SignsInAs key="roles" account={account} />,
                      <span key="state" className={account.isActive ? 'chip chip-good' : 'chip'}>
                        {account.isActive ? t`Active` : t`Closed`}
                      </span>,
                      account.sessions > 0 && <Plural value={account.sessions} one="# device" other="# devices" />,
                    ],
                    actions: <ChangeAccount account={account} />,
                  }))}
                />
                <p className="list-foot">
                  <span className="soft" role="status">
                    {isMore ? t`${total}+ accounts` : <Plural value={total} one="# account" other="# accounts" />}
                  </span>
                  {after !== '' && (
                    <button type="button" className="button" onClick={() => turn('')}>
                      <Trans>First page</Trans>
                    </button>
                  )}
                  {next && (
                    <button type="button" className="button" onClick={() => turn(next)}>
                      <Trans>Next page</Trans>
                    </button>
                  )}
                </p>
              </>
            )
          }
        </Reading>
      </section>
    </>
  );
}

/** The name, which leads to the person's page, and how to reach them. */
const WhoItIs = ({ account: { id, name, email, mobile } }: { account: Account }) => (
  <>
    <Link to="/school-erp/staff/view-staff/$userID" params={{ userID: String(id) }} className="list-name">
      {name}
    </Link>
    <div className="soft">
      {email ? <Breakable text={email} /> : <Trans>No e-mail address</Trans>}
      {!email && mobile && `, ${mobile}`}
    </div>
  </>
);

const SignsInAs = ({ account: { isStaff, isAdmin, sets } }: { account: Account }) => {
  const { t } = useLingui();
  return (
    <>
      {[isStaff && t`Staff`, isAdmin && t`Admin`].filter(Boolean).join(', ')}
      {isStaff && sets.length > 0 && (
        <div className="soft">{sets.map((set) => said(setWords[set].name)).join(', ')}</div>
      )}
    </>
  );
};

const withoutEmpty = (values: Address) => Object.fromEntries(Object.entries(values).filter(([, value]) => value));

function SearchBox({ value, onSearch }: { value: string; onSearch: (words: string) => void }) {
  const { t } = useLingui();
  const [words, setWords] = useState(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => latest.current(words), 250);
    return () => clearTimeout(timer);
  }, [words, value]);
  return (
    <input
      type="search"
      className="box search-box"
      aria-label={t`Search accounts`}
      placeholder={t`Name, e-mail, mobile or username`}
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
    />
  );
}

function Requests({ rows }: { rows: AccountRequest[] }) {
  const { t } = useLingui();
  const confirmed = useConfirmed();
  const { attempt, problem } = useAttempt();
  const decline = (id: number) => attempt(() => confirmed(() => call(accountApi.decline, { id })).then(refreshAll));
  return (
    <section className="sheet sheet-wide">
      <h2>
        <Trans>Who asks for an account</Trans>
      </h2>
      {problem}
      <CardTable
        className="list requests"
        caption={<Trans>Who asks for an account</Trans>}
        heads={[t`Name`, t`Why`, t`Asked`]}
        rows={rows.map((request) => ({
          key: request.id,
          cells: [
            <Fragment key="name">
              <span className="list-name">{request.name}</span>
              <div className="soft">
                <Breakable text={request.email} />
              </div>
              <div className="soft">{request.mobile}</div>
            </Fragment>,
            request.reason,
            showMoment(request.askedAt),
          ],
          actions: (
            <>
              <Approve request={request} />
              <ConfirmButton
                name={t`Decline ${request.name}`}
                label={<Trans>Decline</Trans>}
                question={<Trans>They are told by e-mail that the school has not made the account.</Trans>}
                confirm={<Trans>Decline it</Trans>}
                onConfirm={() => decline(request.id)}
              />
            </>
          ),
        }))}
      />
    </section>
  );
}

const refresh = () => queryClient.invalidateQueries({ queryKey: ['account'] }).then(refreshRequests);
/** A request that is decided is gone, and the focus with it. */
const refreshAll = () => refresh().then(backToTitle);
const refreshRequests = () => queryClient.invalidateQueries({ queryKey: ['account-request'] });

function Approve({ request }: { request: AccountRequest }) {
  const { t } = useLingui();
  return (
    <FormDialog title={t`Approve ${request.name}`} label={<Trans>Approve</Trans>}>
      {(close) => (
        <ApiForm
          endpoint={accountApi.approve}
          initial={{ userName: '', isStaff: true, isAdmin: false, sets: [] }}
          known={{ id: request.id }}
          onDone={() => {
            close();
            void refreshAll();
          }}
          label={t`Approve ${request.name}`}
          buttons={(isSending) => (
            <FormButtons isSending={isSending} close={close} words={<Trans>Make the account</Trans>} />
          )}
        >
          <Rights />
        </ApiForm>
      )}
    </FormDialog>
  );
}

function ChangeAccount({ account }: { account: Account }) {
  const { t } = useLingui();
  const { id, version, userName, isStaff, isAdmin, isActive, sets, name, sessions } = account;
  const confirmed = useConfirmed();
  const { attempt, problem } = useAttempt();
  const endSessions = (close: () => void) =>
    attempt(async () => {
      await confirmed(() => call(accountApi.endSessions, { id }));
      close();
      await refresh();
    });
  return (
    <FormDialog title={t`Change ${name}`} label={<Trans>Change</Trans>}>
      {(close) => (
        <>
          <ApiForm
            endpoint={accountApi.update}
            initial={{ userName, isStaff, isAdmin, isActive, sets }}
            known={{ id, version }}
            onDone={() => {
              close();
              void refresh();
            }}
            label={t`Change ${name}`}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
          >
            <TickField name="isActive" />
            <Rights />
          </ApiForm>
          {sessions > 0 && (
            <div className="dialog-more">
              <SignedIn id={id} />
              {problem}
              <button type="button" className="quiet-button" onClick={() => endSessions(close)}>
                <Trans>Sign out everywhere</Trans>
              </button>
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** Where somebody is signed in, and how to end it there. */
function SignedIn({ id }: { id: number }) {
  const { t } = useLingui();
  const sessions = useRead(accountApi.sessions, { id });
  const confirmed = useConfirmed();
  const { attempt, problem } = useAttempt();
  const end = (number: number) =>
    attempt(async () => {
      await confirmed(() => call(accountApi.endSession, { id, number }));
      await refresh();
    });
  return (
    <Reading query={sessions}>
      {(list) => (
        <>
          <h3>
            <Trans>Signed in on</Trans>
          </h3>
          {problem}
          <ul className="signed-in">
            {list.map(({ number, device, role, address, seenAt, isOwn }) => {
              const [name, last] = [deviceOf(device), showMoment(seenAt)];
              return (
                <li key={number}>
                  <span>
                    {name}, {role}
                    <br />
                    <span className="soft">
                      <Trans>
                        last used {last}, {address}
                      </Trans>
                    </span>
                  </span>
                  {!isOwn && (
                    <button
                      type="button"
                      className="quiet-button"
                      aria-label={t`End ${name}, ${last}`}
                      onClick={() => end(number)}
                    >
                      <Trans>End</Trans>
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Reading>
  );
}

/** Role, username and permission sets. */
function Rights() {
  const { values, change } = useApiForm();
  const held = values.sets as PermissionSet[];
  return (
    <>
      <TickField name="isStaff" />
      {values.isStaff === true && (
        <fieldset className="question many">
          <legend>
            <Trans>May act as</Trans>
          </legend>
          <div className="rows">
            {permissionSets.map((set) => (
              <Row
                key={set}
                type="checkbox"
                id={`set-${set}`}
                label={said(setWords[set].name)}
                hint={said(setWords[set].opens)}
                checked={held.includes(set)}
                onChange={(isHeld) => change('sets', isHeld ? [...held, set] : held.filter((one) => one !== set))}
              />
            ))}
          </div>
        </fieldset>
      )}
      <TickField name="isAdmin" />
      <TextField name="userName" autoComplete="off" required={values.isAdmin === true} />
    </>
  );
}

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
}

const FormButtons = ({ isSending, close, words }: FormButtonsProps) => (
  <div className="dialog-buttons">
    <button type="button" className="button" onClick={close}>
      <Trans>Cancel</Trans>
    </button>
    <button type="submit" className="button button-main" aria-disabled={isSending}>
      {words}
    </button>
  </div>
);

interface FormDialogProps {
  title: string;
  label: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog; the form is made anew each time. */
function FormDialog({ title, label, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <>
      <button type="button" className="quiet-button" aria-label={title} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <dialog ref={dialog} className="dialog dialog-form" aria-label={title} onClose={() => setOpen(false)}>
          <h2>{title}</h2>
          <div data-problems />
          {children(() => dialog.current?.close())}
        </dialog>
      )}
    </>
  );
}
