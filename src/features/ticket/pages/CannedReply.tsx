import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ticketApi } from '../contract/ticket.ts';

/** A text of the school's list, put into the field. */
export function CannedReply({ name, isInRow = false }: { name: 'body' | 'text'; isInRow?: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const { data = [] } = useRead(ticketApi.replies, {});
  if (data.length === 0) return null;
  return (
    <div className={isInRow ? undefined : 'question'}>
      <select
        aria-label={t`Canned reply`}
        className="box"
        value=""
        onChange={({ currentTarget }) => {
          const found = data.find(({ id }) => String(id) === currentTarget.value);
          const typed = String(values[name] ?? '').trim();
          if (found) change(name, [typed, found.text].filter(Boolean).join('\n'));
        }}
      >
        <option value="">{t`Canned reply`}</option>
        {data.map(({ id, name: words }) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
