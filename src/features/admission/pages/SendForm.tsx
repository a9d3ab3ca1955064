import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow, ChoiceRows, RadioField } from '#kit/browser/form/choices.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { type InquiryRecord, inquiryApi, parents, sendChannels } from '../contract/inquiry.ts';
import { MessageText } from './MessageText.tsx';

type Channel = (typeof sendChannels)[number];
type Contacts = Record<Channel, { parent: (typeof parents)[number]; address: string }[]>;

/** The parents' addresses by channel. */
function contactsOf(values: InquiryRecord['values']): Contacts {
  const of = (father: string, mother: string) =>
    [
      { parent: 'Father' as const, address: father },
      { parent: 'Mother' as const, address: mother },
    ].filter(({ address }) => address !== '');
  return {
    Email: of(values.fatherEmail, values.motherEmail),
    SMS: of(values.fatherMobile, values.motherMobile),
  };
}

const toOf = (contacts: Contacts[Channel]) => contacts.map(({ parent }) => parent).join(',');

interface Props {
  record: InquiryRecord;
  onClose: () => void;
}

/** Sends the form’s link, after showing the addresses that get it and the words. */
export function SendForm({ record: { id, values }, onClose }: Props) {
  const { t } = useLingui();
  const contacts = contactsOf(values);
  const [channel = 'SMS'] = sendChannels.filter((one) => contacts[one].length > 0);
  return (
    <RecordForm
      title={t`Send form to the family`}
      endpoint={inquiryApi.sendForm}
      initial={{ channel, to: toOf(contacts[channel]) }}
      hiddenValues={{ id }}
      words={<Trans>Send</Trans>}
      saved={t`The form’s link will be sent.`}
      onClose={onClose}
    >
      <Fields id={id} contacts={contacts} />
    </RecordForm>
  );
}

function Fields({ id, contacts }: { id: number; contacts: Contacts }) {
  const { values, change } = useApiForm();
  const channel = values.channel as Channel;
  const offered = sendChannels.filter((one) => contacts[one].length > 0);
  return (
    <>
      <RadioField name="channel" options={offered} onChange={(next) => change('to', toOf(contacts[next as Channel]))} />
      <Recipients contacts={contacts[channel]} />
      <Message id={id} channel={channel} />
    </>
  );
}

/** The parents with an address of the chosen kind, each with it. */
function Recipients({ contacts }: { contacts: Contacts[Channel] }) {
  const parts = useQuestion({ name: 'to' });
  const chosen = String(parts.value ?? '')
    .split(',')
    .filter(Boolean);
  const toggle = (parent: string) => {
    const next = chosen.includes(parent) ? chosen.filter((one) => one !== parent) : [...chosen, parent];
    parts.change('to', parents.filter((one) => next.includes(one)).join(','));
  };
  return (
    <Questions parts={parts}>
      <ChoiceRows>
        {contacts.map(({ parent, address }, index) => (
          <ChoiceRow
            key={parent}
            type="checkbox"
            id={index === 0 ? 'to' : `to-${index}`}
            name="to"
            value={parent}
            label={translateOption(parent)}
            hint={address}
            checked={chosen.includes(parent)}
            onChange={() => toggle(parent)}
          />
        ))}
      </ChoiceRows>
    </Questions>
  );
}

/** The words as the family reads them; the link is made when they are sent. */
function Message({ id, channel }: { id: number; channel: Channel }) {
  const message = useRead(inquiryApi.message, { id, channel });
  return (
    <QueryBoundary query={message}>
      {({ subject, words }) => (
        <MessageText subject={channel === 'Email' ? subject : ''} words={words}>
          {words === '' && (
            <p className="soft">
              <Trans>The link was revoked. The family gets a new one.</Trans>
            </p>
          )}
        </MessageText>
      )}
    </QueryBoundary>
  );
}
