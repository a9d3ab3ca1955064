import { Trans, useLingui } from '@lingui/react/macro';
import { deviceOf } from '#features/sign-in/contract/session.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Box, List, Row } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { type Account, accountApi } from '../contract/account.ts';
import { DerivedRights } from '../ui/Grants.tsx';
import { Rights } from './account-form.tsx';
import styles from './ChangeAccount.module.css';

export function ChangeAccount({ account }: { account: Account }) {
  const { t } = useLingui();
  const { id, version, userName, isStaff, isAdmin, isActive, sets, branchIds, derived, name, sessions } = account;
  const endSessions = useAction(accountApi.endSessions);
  return (
    <FormOpener title={t`Edit ${name}`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit ${name}`}
          endpoint={accountApi.update}
          initial={{ userName, isStaff, isAdmin, isActive, sets, branchIds }}
          hiddenValues={{ id, version }}
          saved={null}
          onClose={onClose}
        >
          {(close) => (
            <>
              <TickField name="isActive" />
              <Rights />
              {derived.length > 0 && (
                <Box mt={12} line="above" className={styles.more}>
                  <h3>
                    <Trans>Permissions from the section teacher mapping and departments</Trans>
                  </h3>
                  <DerivedRights derived={derived} />
                </Box>
              )}
              {sessions > 0 && (
                <Box mt={12} line="above" className={styles.more}>
                  <SignedIn id={id} />
                  {endSessions.problem}
                  <Button
                    edge="start"
                    kind="quiet"
                    onClick={async () => {
                      if (await endSessions.run({ id })) close();
                    }}
                  >
                    <Trans>Sign out everywhere</Trans>
                  </Button>
                </Box>
              )}
            </>
          )}
        </RecordForm>
      )}
    </FormOpener>
  );
}

function SignedIn({ id }: { id: number }) {
  const { t } = useLingui();
  const sessions = useRead(accountApi.sessions, { id });
  const end = useAction(accountApi.endSession);
  return (
    <QueryBoundary query={sessions}>
      {(list) => (
        <>
          <h3>
            <Trans>Signed-in devices</Trans>
          </h3>
          {end.problem}
          <List mt={4} mb={8} className={styles.sessions}>
            {list.map(({ number, device, role, address, seenAt, isOwn }) => {
              const [name, last] = [deviceOf(device), showMoment(seenAt)];
              return (
                <Row line="below" as="li" gap={12} align="center" justify="between" key={number}>
                  <span>
                    {name}, {translateOption(role)}
                    <br />
                    <span className="soft">
                      <Trans>
                        Last used {last}, {address}
                      </Trans>
                    </span>
                  </span>
                  {!isOwn && (
                    <Button
                      kind="quiet"
                      aria-label={t`Sign out ${name}, ${last}`}
                      onClick={() => end.run({ id, number })}
                    >
                      <Trans>Sign out</Trans>
                    </Button>
                  )}
                </Row>
              );
            })}
          </List>
        </>
      )}
    </QueryBoundary>
  );
}
