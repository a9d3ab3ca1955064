import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { List, Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Account, accountApi } from '../../contract/account.ts';
import styles from './AccountPage.module.css';

interface Props {
  account: Account;
  /** The joining day in the form. */
  joinsOn: string;
}

/** What the form brings with it and what the record of the student will lack, with the fee plan of the joining day. */
export function MadeCard({ account, joinsOn }: Props) {
  const isOther = isRealDate(joinsOn) && joinsOn !== account.joinsOn;
  return isOther ? <MadeOn account={account} joinsOn={joinsOn} /> : <Made account={account} />;
}

function MadeOn({ account, joinsOn }: Props) {
  const { data = account } = useRead(accountApi.read, { id: String(account.id), joinsOn });
  return <Made account={data} />;
}

function Made({ account }: { account: Account }) {
  const { t } = useLingui();
  const { payment, documents, schools, missing, plan } = account;
  const paid = payment && t`${showMoney(payment.amount)} on ${showDate(payment.paidOn)}, ${payment.slipNo}`;
  return (
    <div className={styles.made}>
      <RecordCard title={<Trans>This will be created</Trans>}>
        <Facts
          facts={[
            { label: t`GR number`, value: t`Next: ${account.nextGrNo}` },
            { label: t`Birth date`, value: account.birthDate && showDate(account.birthDate) },
            { label: t`Paid at admission`, value: paid },
            { label: t`Brothers and sisters`, value: account.siblings.join(', ') },
            { label: t`Aadhaar number`, value: account.hasAadhaar && t`Sealed for the student` },
            { label: t`Health`, value: account.hasHealth && t`Sealed for the student` },
            { label: t`Previous schools`, value: schools.join(', ') },
            {
              label: t`Documents`,
              value: documents
                .map(({ name, status }) => `${translateOption(name)}: ${translateOption(status)}`)
                .join(', '),
            },
            { label: t`School bus`, value: account.wantsTransport && t`Asked for` },
          ]}
        />
        {plan.structure !== '' && (
          <>
            <h3>
              <Trans>
                Fee plan: {showMoney(plan.total)} before concessions, {plan.structure}
              </Trans>
            </h3>
            <List>
              {plan.dues.map(({ dueOn, net }) => (
                <Row as="li" justify="between" key={dueOn}>
                  <span>{showDate(dueOn)}</span> <span>{showMoney(net)}</span>
                </Row>
              ))}
            </List>
            {plan.suggested.length > 0 && (
              <p>
                <Trans>
                  Suggested: {plan.suggested.map(({ name, takesOff }) => `${name} (${translate(takesOff)})`).join(', ')}
                  . {showMoney(plan.conceded)} once granted by the accountant.
                </Trans>
              </p>
            )}
          </>
        )}
        {missing.length > 0 && (
          <Notice as="div">
            <Trans>The record will lack:</Trans>
            <ul>
              {missing.map((text) => (
                <li key={translate(text)}>{translate(text)}</li>
              ))}
            </ul>
          </Notice>
        )}
      </RecordCard>
    </div>
  );
}
