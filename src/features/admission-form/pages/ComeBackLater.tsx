import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { call } from '#kit/browser/data/call.ts';
import { translate } from '#kit/browser/text.ts';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { messageApi } from '../contract/message.ts';

/** Sends the same link again to the family's own contacts. What was typed is kept already when the reader gets here. */
export function ComeBackLater() {
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState('');
  const send = async () => {
    if (isSending) return;
    setSending(true);
    try {
      const { message, sentTo } = await call(messageApi.sendLink, {}, { key: crypto.randomUUID() });
      setAnswer([translate(message), sentTo.join(', ')].filter(Boolean).join(' '));
    } catch (error) {
      setAnswer(translate(error instanceof AppError ? error.message : unexpectedMessage));
    } finally {
      setSending(false);
    }
  };
  return (
    <div className="later">
      <button type="button" className="quiet-button" aria-disabled={isSending} onClick={() => void send()}>
        <Trans>Save and come back later</Trans>
      </button>
      <p role="status">{answer}</p>
    </div>
  );
}
