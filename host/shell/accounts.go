package shell

import "slices"

// Accounts are the users and groups that exist, besides root and who commands run as.
// They are read only.
type Accounts struct {
	Users  []string // of which each has a group with its name
	Groups []Group
}

// A Group is a group of users.
type Group struct {
	Name    string
	Members []string
}

// firstID is the number of the first user, and of the first group.
const firstID = 1000

// User finds a user by name.
func (a Accounts) User(name string) (User, bool) {
	if name == "root" {
		return User{Name: name}, true
	}
	i := slices.Index(a.Users, name)
	return User{Name: name, UID: firstID + i, GID: firstID + i}, i >= 0
}

// orNew is a user by name, as if it were one of those that exist.
func (a Accounts) orNew(name string) User {
	if user, found := a.User(name); found {
		return user
	}
	return User{Name: name, UID: firstID, GID: firstID}
}

// GroupID finds the number of a group by its name.
func (a Accounts) GroupID(name string) (gid int, found bool) {
	if user, found := a.User(name); found {
		return user.GID, true
	}
	i := slices.IndexFunc(a.Groups, func(g Group) bool { return g.Name == name })
	return firstID + len(a.Users) + i, i >= 0
}

// GroupsOf are the names of the groups that a user is in: first the one with its name.
func (a Accounts) GroupsOf(name string) []string {
	names := []string{name}
	for _, g := range a.Groups {
		if slices.Contains(g.Members, name) && !slices.Contains(names, g.Name) {
			names = append(names, g.Name)
		}
	}
	return names
}
