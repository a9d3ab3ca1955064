import { createRoot } from 'react-dom/client';
import '#kit/browser/ui/theme.css';
import '#kit/browser/form/form.css';
import { FormPages } from '#features/admission-form/pages/FormPages.tsx';
import { opensNothing } from '#features/admission-form/pages/inquiry-state.ts';
import { keepAskedLanguage } from '#features/admission-form/pages/reader-language.ts';
import { completeConfiguration, configuration } from '#features/school/ui/configuration.ts';
import { addWords, byLanguage, InLanguage, servedLanguage, speak, type Words } from '#kit/browser/language.tsx';
import { activateCatalogue } from '#kit/browser/text.ts';
import { keepFocusInSight } from '#kit/browser/ui/focus.ts';
import { ToastProvider } from '#kit/browser/ui/toast.tsx';
import { formRouter } from './app/form-router.tsx';
import { messages } from './locales/form/en.po';

// Read first: activating English declares the page English.
const served = servedLanguage();
activateCatalogue('en', messages);
addWords({ ...byLanguage(import.meta.glob<Words>('./words/form-*.ts')), en: messages });
keepFocusInSight();

/** In a function: later pages import this script, so a top-level await would never finish. */
async function start(root: HTMLElement) {
  await completeConfiguration();
  keepAskedLanguage();
  // Where its words can't be fetched, the form is in English.
  if (configuration().languages.includes(served)) await speak(served);
  // The server's HTML stays until the page is complete; an empty root shows a skeleton until then.
  const isDrawn = root.hasChildNodes();
  const [isDead] = isDrawn ? await Promise.all([opensNothing(), formRouter.load()]) : [false];
  const Dead = isDead && (await import('#features/admission-form/pages/LinkProblemPage.tsx')).LinkProblemPage;
  const draw = () => <ToastProvider isAtTop>{Dead ? <Dead /> : <FormPages router={formRouter} />}</ToastProvider>;
  createRoot(root).render(<InLanguage draw={draw} />);
}

const root = document.getElementById('root');
if (root) void start(root);
