"""Where the API's routes are mounted: for a key, and for a session in a project."""

API = "/v2"
CONSOLE = "/console/v2/projects/{project_id}"
