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
import { App } from './shell/app.tsx';

const root = document.getElementById('console');
if (root) render(<App />, root);
