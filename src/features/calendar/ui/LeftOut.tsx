import { Plural } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';

/** What was not copied to another year, and why. */
export function LeftOut({ left }: { left: { what: string; why: string }[] }) {
  if (left.length === 0) return null;
  return (
    <details className="left-out">
      <summary>
        <Plural value={left.length} one="# is left out" other="# are left out" />
      </summary>
      <ul>
        {left.map(({ what, why }) => (
          <li key={what}>
            {what}. <span className="soft">{translate(why)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
