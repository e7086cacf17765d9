//! Redmine from Debian's packages, with people and a project, and our plugin installed by the commands of
//! its guide and set up in a browser, as the guide says.
//!
//! Its pages are under a policy that allows what Redmine and the control need, and nothing else.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use super::ServiceDesk;
use super::checklists::{Checklists, TENANT, commands_of_guide};
use super::prepared::contents;
use crate::browser::Browser;
use crate::client::{Answer, Http};
use crate::process::Process;
use crate::setup::free_address;

const GUIDE: &str = "redmine.md";
/// Where the guide's commands are run.
const ON_DESK: &str = "the machine of Redmine";
const HOME: &str = "/usr/share/redmine";
/// Which Redmine of the machine it is, for Debian's scripts.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("RAILS_ENV", "production"),
    ("REDMINE_INSTANCE", "default"),
    // Its web server would give out the files.
    ("RAILS_SERVE_STATIC_FILES", "1"),
    ("HOME", "/tmp"),
    ("RUBYOPT", WITH_COMPILE_CACHE),
];
/// Has Ruby run `COMPILE_CACHE` first.
const WITH_COMPILE_CACHE: &str = "-r/usr/local/lib/compile_cache.rb";
/// Keeps the bytecode that Ruby makes of Redmine, so that it comes with each copy: compiling is half of what
/// a start takes. Loaded before Redmine's bundle, which then hides the gem from it. Bootsnap says nothing
/// where it cannot write.
const COMPILE_CACHE: &str = r##"
require 'set'
require 'msgpack'
require 'bootsnap'
folder = '/var/cache/redmine/default/tmp'
raise "#{folder} cannot be written" unless File.writable?(folder)
Bootsnap.setup(cache_dir: folder, development_mode: false,
               load_path_cache: false, compile_cache_iseq: true, compile_cache_yaml: false)
"##;
/// Where an administrator says how it runs, in Ruby.
const CONFIGURATION: &str = "/usr/share/redmine/config/additional_environment.rb";
/// The template of the tracker Bug.
pub const TEMPLATE: &str = "mail-server";
/// The type of issues on the checklist server, as the settings propose it.
pub const OBJECT_TYPE: &str = "redmine-issue";
/// Redmine's status "Closed".
pub const CLOSED: u64 = 5;

/// People with passwords: agents may work on issues and lists, the reader sees both, the stranger is
/// signed in and sees issues alone. Part of Redmine's configuration, so that whatever loads Redmine first
/// makes them: loading it takes seconds.
const PEOPLE: &str = r##"
config.after_initialize do
next if User.exists?(login: 'petra')
Setting.rest_api_enabled = '1'
Redmine::DefaultData::Loader.load('en') if Redmine::DefaultData::Loader.no_data?
project = Project.create!(name: 'Service desk', identifier: 'desk', is_public: true, trackers: Tracker.all)
agent, reader = Role.find_by!(name: 'Developer'), Role.find_by!(name: 'Reporter')
agent.add_permission!(:add_issues, :edit_issues, :add_issue_notes, :manage_issue_relations)
{ 'admin' => ['Ada', 'Admin', nil], 'petra' => ['Petra', 'Page', agent], 'bob' => ['Bob', 'Backoffice', agent],
  'rita' => ['Rita', 'Reader', reader], 'stan' => ['Stan', 'Stranger', nil] }.each do |login, (first, last, role)|
  user = User.find_by(login: login) || User.new(login: login)
  user.update!(firstname: first, lastname: last, mail: "#{login}@desk.example", language: 'en', admin: login == 'admin',
               password: "#{login}-password", password_confirmation: "#{login}-password", must_change_passwd: false)
  Member.create!(project: project, principal: user, roles: [role]) if role
end
end
"##;

/// What roles may do with lists.
const RIGHTS: [(&str, &[&str]); 2] = [
    ("Developer", &["view_checklists", "edit_checklists"]),
    ("Reporter", &["view_checklists"]),
];

/// One with people, with the plugin as the commands of the guide install it, and with the rights of its
/// steps that are the same for every checklist server.
#[track_caller]
fn installed() -> ServiceDesk {
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../frontend/integrations/redmine/checklist_control");
    let commands = &commands_of_guide(GUIDE, ON_DESK)[0];
    let recipe = (PEOPLE, RIGHTS, COMPILE_CACHE, commands, contents(&plugin));
    ServiceDesk::prepared("redmine", &recipe, |desk| {
        desk.write(WITH_COMPILE_CACHE.trim_start_matches("-r"), COMPILE_CACHE);
        desk.write(CONFIGURATION, PEOPLE);
        desk.copy_in(&plugin, "/root/checklist_control");
        desk.follow(commands);
        let address = free_address();
        let _running = serve(desk, &address);
        set_rights(&format!("http://{address}"));
    })
}

/// Starts it at an address.
#[track_caller]
fn serve(desk: &ServiceDesk, address: &str) -> Process {
    // As the web server of Debian's example has it.
    let assets = "/var/cache/redmine/default/plugin_assets";
    let served = "/usr/share/redmine/public/plugin_assets";
    desk.run(
        "sh",
        &["-c", &format!("rm -rf {served}; ln -s {assets} {served}")],
    );
    let bind = format!("tcp://{address}");
    let command = ["puma", "--bind", &bind, "--threads", "2:4", "config.ru"];
    let running = desk.start("www-data", HOME, &ENVIRONMENT, &command);
    let http = Http::to(&format!("http://{address}"));
    let answers = || {
        let asked = http.request(Method::GET, "/login");
        crate::client::try_send(asked).ok().map(drop)
    };
    // Loading Redmine takes long where other tests run beside.
    let came = crate::wait::until_or_none(answers).or_else(|| crate::wait::until_or_none(answers));
    assert!(
        came.is_some(),
        "Redmine does not answer: {}",
        errors(desk, Some(&running))
    );
    running
}

/// What it has said on stderr, and the end of its log.
fn errors(desk: &ServiceDesk, running: Option<&Process>) -> String {
    let log = desk.run("tail", &["-40", "/var/log/redmine/default/production.log"]);
    let said = running.map(Process::errors).unwrap_or_default();
    format!("{said}{log}")
}

/// Signs somebody in, in a browser, instead of whoever was.
#[track_caller]
fn sign_in(url: &str, browser: &Browser, login: &str) {
    browser.command("Network.clearBrowserCookies", json!({}));
    browser.open(&format!("{url}/login"));
    browser.click("document.querySelector('#username')");
    browser.keys(login);
    browser.click("document.querySelector('#password')");
    browser.keys(format!("{login}-password"));
    browser.click("document.querySelector('#login-submit')");
    browser.until("document.querySelector('#loggedas') && document.readyState === 'complete'");
}

/// What the guide says about rights.
#[track_caller]
fn set_rights(url: &str) {
    let browser = Browser::start();
    sign_in(url, &browser, "admin");
    for (role, permissions) in RIGHTS {
        browser.open(&format!("{url}/roles"));
        browser.click(&format!(
            "[...document.querySelectorAll('td.name a')].find((one) => one.innerText === '{role}')"
        ));
        for permission in permissions {
            browser.click(&format!("document.querySelector('[value={permission}]')"));
        }
        browser.click("document.querySelector('form.edit_role [type=submit]')");
        browser.until("!!document.querySelector('#flash_notice')");
    }
    browser.open(&format!("{url}/projects/desk/settings"));
    browser.click(
        "document.querySelector('#project_enabled_module_names_checklists, [value=checklists]')",
    );
    browser.click("document.querySelector('form.edit_project [type=submit]')");
    browser.until("!!document.querySelector('#flash_notice')");
}

/// A desk with its checklist server.
pub struct Redmine {
    // Before the root that it runs in.
    running: Option<Process>,
    /// Its root.
    pub desk: ServiceDesk,
    /// The checklist server.
    pub checklists: Checklists,
    /// The base URL.
    pub url: String,
    address: String,
}

impl Redmine {
    /// One with the plugin installed and with a template of these items for the tracker Bug; it runs.
    ///
    /// # Panics
    /// When the guide does not lead there.
    #[must_use]
    #[track_caller]
    pub fn with_checklists(items: &[&str]) -> Self {
        let desk = installed();
        let address = free_address();
        let url = format!("http://{address}");
        let checklists = Checklists::start(&url);
        checklists.publish("any", TEMPLATE, items);
        let server = checklists.url();
        // Redmine writes scripts and styles into its pages.
        desk.write(
            CONFIGURATION,
            &format!(
                "config.action_dispatch.default_headers.merge!('Content-Security-Policy' => \"default-src 'self'; \
                 script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' {server}; style-src 'self' 'unsafe-inline' {server}; \
                 connect-src 'self' {server}; img-src 'self' data:\")\n\
                 config.after_initialize {{ Setting.host_name = '{address}' }}\n"
            ),
        );
        let mut redmine = Self {
            running: None,
            desk,
            checklists,
            url,
            address,
        };
        redmine.start();
        redmine.set_up();
        redmine
    }

    /// What the guide says about the settings page.
    #[track_caller]
    fn set_up(&self) {
        let browser = Browser::start();
        self.sign_in(&browser, "admin");
        browser.open(&format!("{}/settings/plugin/checklist_control", self.url));
        let fill = |field: &str, text: &str| {
            let field = format!("document.getElementById('{field}')");
            browser.script(&format!("{field}.value = ''"), &[]);
            browser.click(&field);
            browser.keys(text);
        };
        let says = |text: &str| {
            browser.until(&format!(
                "document.querySelector('#flash_notice')?.innerText.includes('{text}')"
            ));
        };
        fill("settings_base_url", &self.checklists.url());
        fill("settings_tenant", TENANT);
        fill("settings_trackers_1", TEMPLATE);
        browser.click("document.querySelector('#checklist-settings [type=submit]')");
        says("Successful update");
        fill("api_key", self.checklists.admin_key());
        browser.click("document.querySelector('#checklist-registration [type=submit]')");
        says("registered");
        browser.click("document.querySelector('#checklist-test')");
        says("The connection works");
    }

    /// Takes the plugin away as the guide says, and starts again.
    ///
    /// # Panics
    /// When the guide does not lead there.
    #[track_caller]
    pub fn uninstall(&mut self) {
        self.running = None;
        let steps = commands_of_guide(GUIDE, ON_DESK);
        self.desk.follow(steps.last().expect("the guide says how"));
        self.start();
    }

    /// Ends it; it can be started again.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// Starts it.
    ///
    /// # Panics
    /// When it does not answer.
    #[track_caller]
    pub fn start(&mut self) {
        self.running = Some(serve(&self.desk, &self.address));
    }

    /// What it has said on stderr, and the end of its log.
    #[must_use]
    pub fn errors(&self) -> String {
        errors(&self.desk, self.running.as_ref())
    }

    /// Runs Ruby in Redmine, as its user; what it prints.
    #[track_caller]
    pub fn ruby(&self, script: &str) -> String {
        self.desk.write("/tmp/script.rb", script);
        let environment = ENVIRONMENT
            .map(|(name, value)| format!("{name}={value}"))
            .join(" ");
        let command =
            format!("cd {HOME} && exec env {environment} bin/rails runner /tmp/script.rb");
        self.desk
            .run("su", &["www-data", "-s", "/bin/sh", "-c", &command])
    }

    /// A call of the REST API by somebody.
    #[must_use]
    #[track_caller]
    pub fn rest(&self, login: &str, method: Method, path: &str, body: &Value) -> Answer {
        let request = Http::to(&self.url)
            .request(method, path)
            .basic_auth(login, Some(format!("{login}-password")));
        crate::client::send(crate::client::json(request, body))
    }

    /// Makes an issue with a checklist; its number.
    ///
    /// # Panics
    /// When it is not made.
    #[must_use]
    #[track_caller]
    pub fn issue(&self, subject: &str) -> u64 {
        let wish =
            json!({ "issue": { "project_id": "desk", "tracker_id": 1, "subject": subject } });
        let made = self.rest("petra", Method::POST, "/issues.json", &wish);
        assert_eq!(made.status, 201, "{}", made.text());
        made.json()["issue"]["id"]
            .as_u64()
            .expect("an issue has a number")
    }

    /// Asks for another status of an issue by the REST API.
    #[must_use]
    #[track_caller]
    pub fn set_status(&self, login: &str, issue: u64, status: u64) -> Answer {
        let wish = json!({ "issue": { "status_id": status } });
        self.rest(login, Method::PUT, &format!("/issues/{issue}.json"), &wish)
    }

    /// The status of an issue.
    #[must_use]
    #[track_caller]
    pub fn status(&self, issue: u64) -> String {
        let path = format!("/issues/{issue}.json");
        let read = self.rest("admin", Method::GET, &path, &Value::Null).json();
        read["issue"]["status"]["name"]
            .as_str()
            .expect("a status")
            .to_owned()
    }

    /// The notes of an issue's history: who, and what, in its order.
    #[must_use]
    #[track_caller]
    pub fn history(&self, issue: u64) -> Vec<(String, String)> {
        let path = format!("/issues/{issue}.json?include=journals");
        let read = self.rest("admin", Method::GET, &path, &Value::Null).json();
        let journals = read["issue"]["journals"]
            .as_array()
            .expect("journals")
            .clone();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        journals
            .iter()
            .map(|one| (text(&one["user"]["name"]), text(&one["notes"])))
            .filter(|(_, notes)| !notes.is_empty())
            .collect()
    }

    /// The times of the notes of an issue's history.
    #[track_caller]
    pub fn times_of_notes(&self, issue: u64) -> Vec<String> {
        let path = format!("/issues/{issue}.json?include=journals");
        let read = self.rest("admin", Method::GET, &path, &Value::Null).json();
        let journals = read["issue"]["journals"].as_array().expect("journals");
        let time = |one: &Value| one["created_on"].as_str().unwrap_or_default().to_owned();
        journals.iter().map(time).collect()
    }

    /// Signs somebody in, in a browser, instead of whoever was.
    #[track_caller]
    pub fn sign_in(&self, browser: &Browser, login: &str) {
        sign_in(&self.url, browser, login);
    }

    /// Opens the page of an issue.
    #[track_caller]
    pub fn open_issue(&self, browser: &Browser, issue: u64) {
        browser.open(&format!("{}/issues/{issue}", self.url));
    }
}
