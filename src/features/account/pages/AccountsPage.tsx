import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { setWords } from '#access/contract/grants.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { SearchBox } from '#kit/browser/list/SearchBox.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { BreakableText } from '#kit/browser/ui/BreakableText.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { type Account, accountApi } from '../contract/account.ts';
import { AccountRequests } from './AccountRequests.tsx';
import { ChangeAccount } from './ChangeAccount.tsx';

type Address = {
  search?: string;
  state?: 'active' | 'closed';
  after?: string;
};

/** /school-erp/sign-in/account: accounts and requests for them. */
export function AccountsPage() {
  const { t } = useLingui();
  const { address, narrow, turn } = useListAddress<Address>();
  const { search = '', state, after = '' } = address;
  const accounts = useReadList(accountApi.list, { search, after, state: state ?? 'all' });
  const requests = useRead(accountApi.requests, { search: '', after: '' });
  const hasRequests = requests.data !== undefined && requests.data.rows.length > 0;
  return (
    <>
      <PageHead title={t`Accounts`} />
      {hasRequests && <AccountRequests rows={requests.data.rows} />}
      {/* Without requests the page's title says the same. */}
      <RecordCard title={<Trans>All accounts</Trans>} isTitleHidden={!hasRequests}>
        <Filters>
          <SearchBox
            label={t`Search accounts`}
            placeholder={t`Name, email, mobile or username`}
            value={search}
            onSearch={(words) => narrow({ search: words })}
          />
          <label>
            <Trans>State</Trans>{' '}
            <select
              className="box"
              value={state ?? ''}
              onChange={({ currentTarget: { value } }) => narrow({ state: (value || undefined) as Address['state'] })}
            >
              <option value="">{t`All`}</option>
              <option value="active">{t`Active`}</option>
              <option value="closed">{t`Inactive`}</option>
            </select>
          </label>
        </Filters>
        <QueryBoundary query={accounts}>
          {({ rows, next, total, isMore }) =>
            rows.length === 0 ? (
              <EmptyState message={<Trans>No entries match. Try removing a filter.</Trans>}>
                <Button onClick={() => narrow({ search: '', state: undefined })}>
                  <Trans>Clear filters</Trans>
                </Button>
              </EmptyState>
            ) : (
              <>
                <ListRows
                  caption={<Trans>Accounts</Trans>}
                  heads={[t`Name`, t`Role`, t`Status`, t`Signed-in devices`]}
                  rows={rows.map((account) => ({
                    key: account.id,
                    cells: [
                      <WhoItIs key="name" account={account} />,
                      <SignsInAs key="roles" account={account} />,
                      <Chip key="state" kind={account.isActive ? 'good' : 'plain'}>
                        {account.isActive ? t`Active` : t`Inactive`}
                      </Chip>,
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
                    <Button onClick={() => turn({})}>
                      <Trans>First page</Trans>
                    </Button>
                  )}
                  {next && (
                    <Button onClick={() => turn({ after: next })}>
                      <Trans>Next page</Trans>
                    </Button>
                  )}
                </p>
              </>
            )
          }
        </QueryBoundary>
      </RecordCard>
    </>
  );
}

const WhoItIs = ({ account: { staffId, name, email, mobile } }: { account: Account }) => (
  <>
    <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(staffId) }} className="list-name">
      {name}
    </PageLink>
    <div className="soft">
      {email ? <BreakableText text={email} /> : <Trans>No email address</Trans>}
      {!email && mobile && `, ${mobile}`}
    </div>
  </>
);

const SignsInAs = ({ account: { isStaff, isAdmin, sets, derived } }: { account: Account }) => {
  const { t } = useLingui();
  const held = [...sets, ...new Set(derived.map(({ set }) => set))];
  return (
    <>
      {[isStaff && t`Staff`, isAdmin && t`Admin`].filter(Boolean).join(', ')}
      {isStaff && held.length > 0 && (
        <div className="soft">{held.map((set) => translate(setWords[set].name)).join(', ')}</div>
      )}
    </>
  );
};
