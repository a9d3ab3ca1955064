import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { configuration } from '#features/school/ui/configuration.ts';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { TeacherGaps } from '#features/teaching/pages/TeacherGaps.tsx';
import { translate } from '#kit/browser/text.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { addressOf } from './address.ts';
import { menuOf } from './menu.ts';
import { Warnings } from './Warnings.tsx';

/** What this person can do here, until the areas bring the cards of what needs them today. */
export function DashboardPage({ me }: { me: Me }) {
  const { t } = useLingui();
  const groups = menuOf(me).slice(1);
  return (
    <>
      <PageHead title={t`Dashboard`} />
      {configuration().showsDashboardWords && (
        <p>
          <Trans>dashboard works!</Trans>
        </p>
      )}
      {me.role === 'Admin' && <Warnings />}
      {me.role === 'Admin' && <TeacherGaps />}
      <p className="soft">
        <Trans>Welcome, {me.name}.</Trans>
      </p>
      <div className="welcome">
        {groups.map(({ title, icon: Icon, pages }, index) => (
          <section key={title.id} aria-labelledby={`can-${index}`}>
            <h2 id={`can-${index}`}>
              <Icon size={18} stroke={1.7} aria-hidden /> {translate(title)}
            </h2>
            <ul>
              {pages.map((page) => (
                <li key={page.path}>
                  <Link to={addressOf(page)}>{translate(page.title)}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
