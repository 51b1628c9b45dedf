import { render } from 'preact';
import './style/palette.css';
import './style/base.css';
import './style/shell.css';
import './style/buttons.css';
import './style/fields.css';
import './style/parts.css';
import './style/lists.css';
import './style/server.css';
import './charts/charts.css';
import './style/tools.css';
import './style/new.css';
import { wasSignedIn } from './api/session.ts';
import { pageAt } from './routes.ts';
import { App } from './shell/app.tsx';
import { ROOT } from './state/location.ts';

// The page's code loads while the session is checked. A failure is shown by the outlet.
if (wasSignedIn()) {
  pageAt(location.pathname.slice(ROOT.length))
    ?.page.load()
    .catch(() => undefined);
}

const root = document.getElementById('console');
if (root) render(<App />, root);
